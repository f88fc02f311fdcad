package dev.outpost.nn;

import dev.outpost.RemoteMachine;
import dev.outpost.Scope;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.types.DType;
import dev.outpost.types.OpException;
import dev.outpost.types.Shape;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A computed parameter, with the trained parameters and the parametrization as a module, so that names are the same
 * as in PyTorch.
 */
final class Parametrized extends Module implements ComputedValue {
    private static final String CONTAINER = "parametrizations";

    /** Holds the parametrized parameters of a module, by name. */
    private static final class Container extends Module {
        @Override
        protected String settings() {
            return "";
        }

        void add(String name, Parametrized parametrized) {
            register(name, parametrized);
        }
    }

    private final Parameter parameter;
    private final Parametrization parametrization;
    private final List<Parameter> originals = new ArrayList<>();

    private Parametrized(Parameter parameter, Parametrization parametrization) {
        this.parameter = parameter;
        this.parametrization = parametrization;
        List<Shape> shapes = parametrization.originals(parameter.shape());
        FirstValues first = new FirstValues(shapes.size());
        for (int index = 0; index < shapes.size(); index++) {
            String name = shapes.size() == 1 ? "original" : "original" + index;
            int which = index;
            originals.add(parameter(
                    name,
                    new Parameter(
                            shapes.get(index),
                            parameter.dtype(),
                            (machine, shape, dtype) -> first.take(machine, which))));
        }
        register("0", parametrization);
        parametrization.attached(List.copyOf(originals));
    }

    static void register(Module module, String name, Parametrization parametrization) {
        Registry registry = module.registry();
        Parameter parameter = registry.parameter(name);
        if (parameter == null || registry.isParametrized(name)) {
            throw new OpException(
                    "register_parametrization",
                    parameter == null
                            ? module.typeName() + " has no parameter called " + name
                            : name + " is parametrized already; call removeParametrization first");
        }
        boolean requiresGrad = parameter.requiresGrad();
        RemoteMachine machine = parameter.isPlaced() ? parameter.tensor().machine() : null;
        Parametrized parametrized = new Parametrized(parameter, parametrization);
        parametrized.originals.forEach(original -> original.requiresGrad(requiresGrad));
        registry.parametrize(name);
        container(module).add(name, parametrized);
        registry.nameAll();
        if (machine != null) {
            parametrized.to(parameter.dtype());
            parametrized.to(machine);
        }
        parameter.computeBy(parametrized);
    }

    private static Container container(Module module) {
        if (module.registry().child(CONTAINER) instanceof Container container) {
            return container;
        }
        Container container = new Container();
        module.registry().add(CONTAINER, container);
        return container;
    }

    static void remove(Module module, String name) {
        Registry registry = module.registry();
        if (!registry.isParametrized(name)) {
            throw new OpException("remove_parametrizations", module.typeName() + " has no parametrized " + name);
        }
        Parameter parameter = registry.parameter(name);
        Container container = (Container) registry.child(CONTAINER);
        Parametrized parametrized = (Parametrized) container.registry().child(name);
        DType dtype = parametrized.dtype();
        if (!parametrized.isPlaced()) {
            throw new OpException(
                    "remove_parametrizations", name + " is on no machine yet, so it has no value; call to(machine)");
        }
        Tensor value = parametrized
                .originals
                .getFirst()
                .tensor()
                .machine()
                .unscoped(() -> GradMode.noGrad(
                        () -> Scope.tidy(() -> parametrized.value().clone())));
        parameter.hold(value, dtype, (machine, shape, kind) -> {
            throw new IllegalStateException("a tensor that was computed is moved, never created anew");
        });
        container.registry().remove(name);
        if (container.registry().children().isEmpty()) {
            registry.remove(CONTAINER);
        }
        registry.unparametrize(name);
    }

    @Override
    public Tensor value() {
        return Scope.tidy(() ->
                parametrization.value(originals.stream().map(Parameter::tensor).toList()));
    }

    @Override
    public boolean isPlaced() {
        return originals.getFirst().isPlaced();
    }

    @Override
    public DType dtype() {
        return originals.getFirst().dtype();
    }

    /**
     * The first values of the trained parameters. They are computed once, when the first of them is placed, from the first value of the
     * computed parameter.
     */
    private final class FirstValues {
        private final @Nullable Tensor[] values;

        FirstValues(int count) {
            values = new Tensor[count];
        }

        Tensor take(RemoteMachine machine, int index) {
            if (values[index] == null) {
                make(machine);
            }
            Tensor taken = values[index];
            values[index] = null;
            return taken;
        }

        private void make(RemoteMachine machine) {
            machine.unscoped(() -> GradMode.noGrad(() -> {
                Tensor whole = parameter.first(machine);
                List<Tensor> inverse = Scope.tidy(
                        () -> parametrization.rightInverse(whole).stream()
                                .map(part -> part.clone().to(dtype()))
                                .toList(),
                        parts -> parts);
                whole.close();
                for (int index = 0; index < values.length; index++) {
                    values[index] = inverse.get(index);
                }
                return null;
            }));
        }
    }
}
