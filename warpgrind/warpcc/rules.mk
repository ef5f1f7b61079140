# warpcc
