package dev.outpost.internal.trace;

import dev.outpost.client.record.RemoteValue;
import dev.outpost.internal.States;
import dev.outpost.internal.TensorState;
import dev.outpost.types.Layout;
import dev.outpost.types.OpException;
import dev.outpost.types.TensorType;
import java.util.ArrayList;
import java.util.List;

/**
 * The properties of one argument that a trace depends on.
 *
 * @param layout its layout in its storage
 * @param storage the type of the storage's value
 * @param first the first argument with the same storage
 */
public record ProgramArgument(Layout layout, TensorType storage, int first) {

    public static List<ProgramArgument> of(List<? extends TensorState> arguments) {
        List<ProgramArgument> described = new ArrayList<>(arguments.size());
        for (int index = 0; index < arguments.size(); index++) {
            TensorState tensor = arguments.get(index);
            if (tensor.requiresGrad()) {
                throw new OpException(
                        "program",
                        "gradients do not flow through a call, so input " + index
                                + " must not require any; detach it, or compute it inside, got " + tensor.type());
            }
            RemoteValue value = States.cell(tensor).value();
            described.add(new ProgramArgument(States.layout(tensor), value.type(), first(arguments, index)));
        }
        return described;
    }

    private static int first(List<? extends TensorState> arguments, int index) {
        for (int earlier = 0; earlier < index; earlier++) {
            if (States.cell(arguments.get(earlier)) == States.cell(arguments.get(index))) {
                return earlier;
            }
        }
        return index;
    }
}
