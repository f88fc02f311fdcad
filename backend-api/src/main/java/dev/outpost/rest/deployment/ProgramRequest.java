package dev.outpost.rest.deployment;

import java.time.Duration;
import java.util.List;

/**
 * The desired state of a served program. Another file or GPU makes another revision; the rest is changed in place.
 *
 * @param project which project pays; the key's, or {@code default}
 * @param file the SHA-256 of a file that was sent whole to {@code /v1/files}
 * @param gpu a name of the catalogue, or {@code any}
 * @param inputs the dtypes and shapes of its inputs, such as {@code float32[1, 4]}
 * @param outputs those of what it answers
 * @param mostRows how many rows are computed at once; 0 where calls are not batched
 * @param min how many replicas it has at the least; as before, or 0, unless given
 * @param max how many replicas it has at the most; as before, or 1, unless given
 * @param target how many calls a replica computes at a time before there is another one; as before, or 16, unless given
 * @param idle how long it has no call before the last replica goes; as before, or {@code PT5M}, unless given
 */
public record ProgramRequest(
        String project,
        String file,
        String gpu,
        List<String> inputs,
        List<String> outputs,
        Integer mostRows,
        Integer min,
        Integer max,
        Integer target,
        Duration idle) {}
