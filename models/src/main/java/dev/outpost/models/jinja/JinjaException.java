package dev.outpost.models.jinja;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** Thrown if a template cannot be parsed, or fails. */
public final class JinjaException extends OutpostException {
    private static final long serialVersionUID = 1;

    JinjaException(String message) {
        super(FaultKind.USER, message);
    }

    static JinjaException at(int line, String message) {
        return new JinjaException("template: line " + line + ": " + message);
    }
}
