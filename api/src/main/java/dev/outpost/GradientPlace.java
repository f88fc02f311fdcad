package dev.outpost;

import dev.outpost.client.HostState;
import dev.outpost.client.Place;
import dev.outpost.client.RemoteValue;
import dev.outpost.client.ValueHandle;
import dev.outpost.protocol.op.Unary;
import dev.outpost.types.TensorType;
import java.util.function.Consumer;

/** The gradient of a variable. */
record GradientPlace(Variable variable) implements Place<Tensor> {
    @Override
    public HostState madeIn() {
        return variable.madeIn();
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
        return gradient == null ? null : gradient.heldType();
    }

    @Override
    public ValueHandle lend(Consumer<Tensor> made) {
        Tensor gradient = held();
        if (gradient.wholeValue() != null) {
            return gradient.cell().handle();
        }
        Tensor whole = GradMode.with(false, gradient::clone);
        made.accept(whole);
        return whole.cell().handle();
    }

    @Override
    public Tensor over(RemoteValue fresh) {
        return Tensor.over(variable.cell().home(), fresh);
    }

    @Override
    public RemoteValue whole(Tensor gradient) {
        RemoteValue value = gradient.wholeValue();
        return value != null ? value : Dispatch.apply(Unary.COPY, gradient).wholeValue();
    }

    /** A gradient lives where its variable does, as one that backward leaves. */
    @Override
    public void bind(RemoteValue value) {
        Tensor gradient = value == null ? null : Tensor.sharing(variable.cell().home(), value);
        variable.replaceGradient(gradient);
        if (gradient != null) {
            Scope.move(gradient, variable.scope());
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
