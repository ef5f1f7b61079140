#!/bin/sh
# What the published client starts: it can give one argument only.
exec "$WARPGRIND" debug --dap
