/* precompiled.h - the file that warpcc precompiles: empty, since what is in it is named on the command line. */
