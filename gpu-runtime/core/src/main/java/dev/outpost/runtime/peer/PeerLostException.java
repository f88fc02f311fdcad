package dev.outpost.runtime.peer;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/** Thrown if another member of the group is lost, or did not begin an exchange in time. */
public final class PeerLostException extends OutpostException {
    public PeerLostException(String message) {
        super(FaultKind.EXTERNAL, message);
    }
}
