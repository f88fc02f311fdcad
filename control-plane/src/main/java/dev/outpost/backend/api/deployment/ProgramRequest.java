package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.model.Scale;
import dev.outpost.backend.store.ProgramRows;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A program as it shall be served. Another file or GPU is another revision; the rest is changed in place.
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
        Duration idle) {
    private static final Pattern TYPE = Pattern.compile("[a-z0-9]{3,10}\\[[0-9, ]{0,200}]");

    ProgramRows.Stored checked() {
        int rows = mostRows == null ? 0 : mostRows;
        if (rows < 0 || rows > Bounds.PROGRAM_ROWS) {
            throw Problem.invalid("mostRows: expected 0 to " + Bounds.PROGRAM_ROWS + ", got " + rows);
        }
        return new ProgramRows.Stored(
                Inputs.programHash(file), types("inputs", inputs), types("outputs", outputs), rows);
    }

    private static List<String> types(String what, List<String> types) {
        boolean isWrong = types == null
                || types.size() > Bounds.PROGRAM_VALUES
                || types.stream()
                        .anyMatch(type -> type == null || !TYPE.matcher(type).matches());
        if (isWrong) {
            throw Problem.invalid(what + ": expected up to " + Bounds.PROGRAM_VALUES + " types such as float32[1, 4]");
        }
        return types;
    }

    /**
     * The deployment that serves it.
     *
     * @param before how it scales already; a field that is not given stays as it is
     */
    DeploymentRequest deployment(Optional<Scale> before) {
        return new DeploymentRequest(
                project,
                ProgramRows.SCHEME + file,
                gpu,
                null,
                min == null ? before.map(Scale::min).orElse(null) : min,
                max == null ? before.map(Scale::max).orElse(null) : max,
                target == null ? before.map(Scale::target).orElse(null) : target,
                idle == null ? before.map(Scale::idle).orElse(null) : idle);
    }
}
