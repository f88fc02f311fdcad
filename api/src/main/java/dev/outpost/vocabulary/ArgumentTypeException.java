package dev.outpost.vocabulary;

import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a type that no overload of the op takes: a number where a tensor is needed, a word that no constant is
 * called. Java's compiler refuses such a call of a typed method; PyTorch throws a TypeError.
 */
public final class ArgumentTypeException extends OutpostException {
    ArgumentTypeException(String op, String parameter, String expected, @Nullable Object actual) {
        super(FaultKind.USER, op + ": " + parameter + " must be " + expected + ", got " + actual);
    }
}
