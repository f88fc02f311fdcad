package dev.outpost.rest.usage;

/** The quantity that a quota limits. */
public enum QuotaResource {
    GPUS,
    MACHINES,
    GPU_HOURS_PER_MONTH,
    /** Tokens of prompts and new tokens, as servers of models count them. */
    TOKENS_PER_MONTH,
    /** Bytes of programs, and of the logs and files of jobs. Only organisations have such a quota. */
    STORED_BYTES;

    /** True if machines use this resource. */
    public boolean isOfMachines() {
        return this != TOKENS_PER_MONTH && this != STORED_BYTES;
    }
}
