package dev.outpost.vocabulary;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/**
 * PyTorch's signature has this form of the call, and there is nothing here that computes it. It says nothing about whether the call is right, so its
 * kind is {@link FaultKind#INTERNAL}.
 */
public final class UnsupportedFormException extends OutpostException {
    UnsupportedFormException(String op, String form) {
        super(FaultKind.INTERNAL, op + ": this form of the call is not supported: " + form);
    }
}
