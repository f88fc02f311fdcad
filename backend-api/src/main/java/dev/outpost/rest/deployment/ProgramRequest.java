package dev.outpost.rest.deployment;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The desired state of a served program. Another file or GPU makes another revision. Other changes keep the revision.
 * An absent number or time keeps its present value; a new program gets the default.
 *
 * @param project the project that pays; the key's by default, or {@code default}
 * @param file the SHA-256, in hex, of a file that was sent to {@code /v1/files}
 * @param gpu a kind of the catalogue, or {@code any}
 * @param inputs the dtype and shape of each input, such as {@code float32[1, 4]}
 * @param outputs the dtype and shape of each output
 * @param mostRows the maximum number of rows in a batch; 0 if calls are not batched
 * @param min the minimum number of replicas; 0 by default
 * @param max the maximum number of replicas; 1 by default
 * @param target the number of concurrent calls of a replica at which another one is started; 16 by default
 * @param idle the time without a call after which the last replica ends; {@code PT5M} by default
 */
public record ProgramRequest(
        @Nullable String project,
        String file,
        String gpu,
        List<String> inputs,
        List<String> outputs,
        @Nullable Integer mostRows,
        @Nullable Integer min,
        @Nullable Integer max,
        @Nullable Integer target,
        @Nullable Duration idle) {}
