# card.bash - what the tables that are measured on a card say of it: sourced by whoever writes one. Needs nvcc and nvidia-smi on the path.
export PATH=$PATH:/usr/local/cuda/bin

cuda_release() { nvcc --version | sed -n 's/.*release \([0-9.]*\).*/\1/p'; } # "13.0"
cards() { nvidia-smi --query-gpu=name --format=csv,noheader | wc -l; }
card_name() { nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1; }
card_and_driver() { # "NVIDIA H200, driver 580.159.04", and how many there are when it is not one
    local count
    count=$(cards)
    [ "$count" = 1 ] || printf '%d x ' "$count"
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -n 1 | sed 's/, /, driver /'
}
