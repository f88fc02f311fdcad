package dev.outpost.runtime.session;

import dev.outpost.protocol.message.End;
import dev.outpost.protocol.message.FaultMessages;
import dev.outpost.types.OutpostException;

/** A refusal because the session or connection has already ended, with the reason. */
final class EndedException extends OutpostException {
    private final transient End end;

    EndedException(End end) {
        super(
                FaultMessages.kind(end.getFault()),
                FaultMessages.code(end.getFault()),
                end.getFault().getMessage(),
                null);
        this.end = end;
    }

    End end() {
        return end;
    }
}
