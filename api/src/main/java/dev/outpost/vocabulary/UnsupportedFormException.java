package dev.outpost.vocabulary;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/**
 * Thrown if PyTorch's signature allows this form of a call, but Outpost does not support it. The call may be correct, so the kind is
 * {@link FaultKind#INTERNAL}.
 */
public final class UnsupportedFormException extends OutpostException {
    UnsupportedFormException(String op, String form) {
        super(FaultKind.INTERNAL, op + ": this form of the call is not supported: " + form);
    }
}
