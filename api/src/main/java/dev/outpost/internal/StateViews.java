package dev.outpost.internal;

import dev.outpost.internal.ops.Shapes;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;

/** Creates views of states in other shapes. */
public final class StateViews {
    private StateViews() {}

    /** Returns the elements in another shape: a view if the layout allows it, else a copy. */
    @SuppressWarnings("unchecked")
    public static <T extends TensorState> T reshape(T tensor, Shape shape) {
        Layout layout = Shapes.viewAs("reshape", States.layout(tensor), shape);
        return layout != null ? States.view(tensor, layout) : States.view((T) tensor.clone(), Layout.contiguous(shape));
    }

    public static <T extends TensorState> T flatten(T tensor, int startDim, int endDim) {
        return reshape(tensor, Shapes.flatten(tensor.shape(), startDim, endDim));
    }

    public static <T extends TensorState> T permute(T tensor, int... dims) {
        return States.view(tensor, States.layout(tensor).permute(dims));
    }

    public static <T extends TensorState> T movedim(T tensor, int source, int destination) {
        return permute(tensor, Shapes.moved(tensor.shape().rank(), new int[] {source}, new int[] {destination}));
    }

    public static <T extends TensorState> T expand(T tensor, Shape shape) {
        return States.view(tensor, States.layout(tensor).expand(shape));
    }
}
