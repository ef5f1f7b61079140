# cudart
