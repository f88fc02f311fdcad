package dev.outpost.rest.worker;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The request of a host to be paired.
 *
 * @param keySha256 the SHA-256, in hex, of the key {@code wk_NAME_...} that it has drawn
 * @param gpus the kinds of its GPUs
 * @param machines the number of machines that it has room for
 */
public record WorkerPairing(
        String keySha256, List<String> gpus, @Nullable Integer machines) {}
