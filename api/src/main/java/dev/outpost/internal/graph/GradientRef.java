package dev.outpost.internal.graph;

import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.client.program.HostState;
import dev.outpost.client.program.TensorRef;
import dev.outpost.client.record.RemoteValue;
import dev.outpost.client.record.Storage;
import dev.outpost.client.record.ValueHandle;
import dev.outpost.internal.Dispatch;
import dev.outpost.internal.Internals;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.TensorType;
import java.util.function.Consumer;

/** The gradient of a variable. */
public record GradientRef(Variable variable) implements TensorRef<Tensor> {
    @Override
    public HostState madeIn() {
        return variable.madeIn();
    }

    @Override
    public Storage guard() {
        return variable.cell();
    }

    @Override
    public Tensor held() {
        return variable.heldGradient();
    }

    @Override
    public void hold(Tensor gradient) {
        variable.holdGradient(gradient);
    }

    @Override
    public TensorType heldType() {
        Tensor gradient = held();
        return gradient == null ? null : Internals.heldType(gradient);
    }

    @Override
    public ValueHandle lend(Consumer<Tensor> made) {
        Tensor gradient = held();
        if (Internals.wholeValue(gradient) != null) {
            return Internals.cell(gradient).handle();
        }
        Tensor whole = GradMode.with(false, gradient::clone);
        made.accept(whole);
        return Internals.cell(whole).handle();
    }

    @Override
    public Tensor over(RemoteValue fresh) {
        return Internals.over(variable.cell().home(), fresh);
    }

    @Override
    public RemoteValue whole(Tensor gradient) {
        RemoteValue value = Internals.wholeValue(gradient);
        return value != null ? value : Internals.wholeValue(Dispatch.apply(Unary.COPY, gradient));
    }

    /** A gradient lives where its variable does, as one that backward leaves. */
    @Override
    public void bind(RemoteValue value) {
        Tensor gradient =
                value == null ? null : Internals.sharing(variable.cell().home(), value);
        variable.replaceGradient(gradient);
        if (gradient != null) {
            Internals.move(gradient, variable.scope());
        }
    }

    @Override
    public String name() {
        String whose = variable.cell().name();
        return whose.isEmpty() ? "" : "gradient of " + whose;
    }

    @Override
    public String label() {
        return "gradient of " + variable.cell().label();
    }
}
