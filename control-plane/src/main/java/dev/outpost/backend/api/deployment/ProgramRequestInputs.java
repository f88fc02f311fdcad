package dev.outpost.backend.api.deployment;

import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.model.deployment.Scale;
import dev.outpost.backend.store.deployment.ProgramRows;
import dev.outpost.rest.deployment.DeploymentRequest;
import dev.outpost.rest.deployment.ProgramRequest;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Checks requests for programs. */
final class ProgramRequestInputs {
    private static final Pattern TYPE = Pattern.compile("[a-z0-9]{3,10}\\[[0-9, ]{0,200}]");

    private ProgramRequestInputs() {}

    static ProgramRows.Stored checked(ProgramRequest body) {
        int rows = body.mostRows() == null ? 0 : body.mostRows();
        if (rows < 0 || rows > Bounds.PROGRAM_ROWS) {
            throw Problem.invalid("mostRows: expected 0 to " + Bounds.PROGRAM_ROWS + ", got " + rows);
        }
        return new ProgramRows.Stored(
                Inputs.programHash(body.file()),
                types("inputs", body.inputs()),
                types("outputs", body.outputs()),
                rows);
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
     * Returns the request for the deployment that serves the program.
     *
     * @param before the present scaling, which absent fields keep
     */
    static DeploymentRequest deployment(ProgramRequest body, Optional<Scale> before) {
        return new DeploymentRequest(
                body.project(),
                ProgramRows.SCHEME + body.file(),
                body.gpu(),
                null,
                body.min() == null ? before.map(Scale::min).orElse(null) : body.min(),
                body.max() == null ? before.map(Scale::max).orElse(null) : body.max(),
                body.target() == null ? before.map(Scale::target).orElse(null) : body.target(),
                body.idle() == null ? before.map(Scale::idle).orElse(null) : body.idle());
    }
}
