package dev.outpost.cli.parity.ops;

import dev.outpost.Tensor;
import dev.outpost.cli.parity.Argument;
import dev.outpost.cli.parity.Argument.BoolArgument;
import dev.outpost.cli.parity.Argument.DTypeArgument;
import dev.outpost.cli.parity.Argument.FloatArgument;
import dev.outpost.cli.parity.Argument.IntegerArgument;
import dev.outpost.cli.parity.Argument.ListArgument;
import dev.outpost.cli.parity.Argument.NullArgument;
import dev.outpost.cli.parity.Argument.TensorArgument;
import dev.outpost.cli.parity.Argument.TextArgument;
import dev.outpost.types.DType;
import java.util.List;
import java.util.Map;

/** What a call gives for a parameter: an argument, or null if it leaves it out. */
record Given(Call call, String name, Argument argument) {

    /** Whether there is something other than None. */
    boolean isPresent() {
        return argument != null && !(argument instanceof NullArgument);
    }

    boolean isList() {
        return argument instanceof ListArgument;
    }

    boolean isTensor() {
        return argument instanceof TensorArgument;
    }

    boolean isText() {
        return argument instanceof TextArgument;
    }

    boolean isBool() {
        return argument instanceof BoolArgument;
    }

    boolean isNumber() {
        return argument instanceof IntegerArgument
                || argument instanceof FloatArgument
                || argument instanceof BoolArgument;
    }

    // ---- tensors

    Tensor tensor() {
        if (isNumber() || isText()) {
            throw wrongType("a tensor");
        }
        if (argument instanceof TensorArgument tensor) {
            return call.tensor(tensor);
        }
        throw unmapped("a tensor");
    }

    Tensor tensorOrNull() {
        return isPresent() ? tensor() : null;
    }

    List<Tensor> tensors() {
        return items().stream().map(Given::tensor).toList();
    }

    List<Given> items() {
        if (argument instanceof ListArgument list) {
            return list.items().stream().map(item -> call.given(name, item)).toList();
        }
        throw unmapped("a list");
    }

    // ---- numbers; PyTorch takes booleans for them

    Number number() {
        if (argument instanceof FloatArgument real) {
            return real.value();
        }
        if (isNumber()) {
            return integer();
        }
        throw isTensor() || isText() ? wrongType("a number") : unmapped("a number");
    }

    Number number(Number otherwise) {
        return isPresent() ? number() : otherwise;
    }

    double real(double otherwise) {
        return number(otherwise).doubleValue();
    }

    long integer() {
        if (argument instanceof IntegerArgument integer) {
            return integer.value();
        }
        if (argument instanceof BoolArgument bool) {
            return bool.value() ? 1 : 0;
        }
        throw isText() ? wrongType("an integer") : unmapped("an integer");
    }

    long integer(long otherwise) {
        return isPresent() ? integer() : otherwise;
    }

    int dim() {
        return Math.toIntExact(integer());
    }

    int dim(int otherwise) {
        return isPresent() ? dim() : otherwise;
    }

    /** A dimension or a list of them; none if it is left out. */
    int[] dims() {
        if (!isPresent()) {
            return new int[0];
        }
        return isList() ? items().stream().mapToInt(Given::dim).toArray() : new int[] {dim()};
    }

    /** Two dimensions, where Java's signature has two parameters for them. */
    int[] dimPair() {
        int[] dims = dims();
        if (dims.length != 2) {
            throw wrongType("two dimensions");
        }
        return dims;
    }

    /** A size or a list of them. */
    long[] sizes() {
        return isList() ? items().stream().mapToLong(Given::integer).toArray() : new long[] {integer()};
    }

    /** Two sizes; one number stands for both. */
    long[] sizePair(long otherwise) {
        return isList() ? sizes() : new long[] {integer(otherwise), integer(otherwise)};
    }

    boolean bool(boolean otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        if (argument instanceof FloatArgument || !isNumber()) {
            throw unmapped("a boolean");
        }
        return integer() != 0;
    }

    // ---- words and dtypes

    String text(String otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        if (argument instanceof TextArgument text) {
            return text.value();
        }
        throw unmapped("a word");
    }

    /** One of several constants by PyTorch's word for it. */
    <T> T choice(Map<String, T> constants, T otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        T constant = constants.get(text(""));
        if (constant == null) {
            throw wrongType("one of " + constants.keySet().stream().sorted().toList());
        }
        return constant;
    }

    DType dtype(DType otherwise) {
        if (!isPresent()) {
            return otherwise;
        }
        if (argument instanceof DTypeArgument dtype) {
            return dtype.dtype();
        }
        throw unmapped("a dtype");
    }

    // ---- what does not fit

    UnmappedFormException unmapped(String expected) {
        return new UnmappedFormException(call.op(), name + " should be " + expected + ", got " + argument);
    }

    private ArgumentTypeException wrongType(String expected) {
        return new ArgumentTypeException(call.op(), name, expected, argument);
    }
}
