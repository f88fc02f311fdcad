package dev.outpost;

import dev.outpost.client.RemoteValue;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * What a trace depends on of one argument.
 *
 * @param layout how it lies in its storage
 * @param storage the type of the storage's value
 * @param first the first argument with the same storage
 */
record ProgramArgument(Layout layout, TensorType storage, int first) {

    static List<ProgramArgument> of(List<Tensor> arguments) {
        List<ProgramArgument> described = new ArrayList<>(arguments.size());
        for (int index = 0; index < arguments.size(); index++) {
            Tensor tensor = arguments.get(index);
            if (tensor.requiresGrad()) {
                throw new OpException(
                        "program",
                        "gradients do not flow through a call, so input " + index
                                + " must not require any; detach it, or compute it inside, got " + tensor.type());
            }
            RemoteValue value = tensor.cell().value();
            described.add(new ProgramArgument(tensor.layout(), value.type(), first(arguments, index)));
        }
        return described;
    }

    private static int first(List<Tensor> arguments, int index) {
        for (int earlier = 0; earlier < index; earlier++) {
            if (arguments.get(earlier).cell() == arguments.get(index).cell()) {
                return earlier;
            }
        }
        return index;
    }
}
