package dev.outpost.cli.parity.ops;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;

/**
 * An argument of a type that no overload of the op takes: a number where a tensor is needed, a word that no constant is
 * called. Java's compiler refuses such a call, where PyTorch throws a TypeError; here the refusal is a value.
 */
final class ArgumentTypeException extends OutpostException {
    ArgumentTypeException(String op, String parameter, String expected, Object actual) {
        super(FaultKind.USER, op + ": " + parameter + " must be " + expected + ", got " + actual);
    }
}
