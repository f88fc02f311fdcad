package dev.outpost.runtime.cuda.check;

/** The parts of a thorough check behind the self test, in their order. */
public enum CheckPart {
    /** The op table by the engine alone, beside the reference, and the engine's speeds. */
    ENGINE,
    /** The parity pack through sessions. */
    PARITY,
    /** Random programs through sessions. */
    RANDOM,
    /** Memory that comes back. */
    MEMORY,
    /** The library of exchanges between GPUs, by a communicator of one. */
    COLLECTIVES,
    /** A group of two machines on the one GPU. */
    GROUP,
    /** Speeds of programs through sessions. */
    SPEEDS,
    /** PyTorch's speeds on the same GPU, which {@link #SPEEDS} are told beside. */
    PYTORCH
}
