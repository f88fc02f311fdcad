package dev.outpost.rest.usage;

/** The quantity that a limit counts. */
public enum QuotaResource {
    GPUS,
    MACHINES,
    GPU_HOURS_PER_MONTH,
    /** Tokens of prompts and new ones that servers of models count. */
    TOKENS_PER_MONTH,
    /** Bytes of programs, and of the logs and files that runs of jobs leave; of organisations alone. */
    STORED_BYTES;

    /** True if machines use this resource. */
    public boolean isOfMachines() {
        return this != TOKENS_PER_MONTH && this != STORED_BYTES;
    }
}
