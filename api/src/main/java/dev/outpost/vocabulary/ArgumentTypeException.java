package dev.outpost.vocabulary;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if no overload of the op accepts the type of an argument, for example a number instead of a tensor, or a word that names no
 * constant. For a typed method, Java's compiler reports this; PyTorch throws a TypeError.
 */
public final class ArgumentTypeException extends OutpostException {
    ArgumentTypeException(String op, String parameter, String expected, @Nullable Object actual) {
        super(FaultKind.USER, op + ": " + parameter + " must be " + expected + ", got " + actual);
    }
}
