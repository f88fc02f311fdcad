package dev.outpost.torch.fuzz;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.autograd.GradMode;
import dev.outpost.nn.Module;
import dev.outpost.nn.Parameter;
import dev.outpost.optim.Optimizer;
import dev.outpost.torch.fuzz.FuzzStatement.Backward;
import dev.outpost.torch.fuzz.FuzzStatement.Forward;
import dev.outpost.torch.fuzz.FuzzStatement.Invocation;
import dev.outpost.torch.fuzz.FuzzStatement.Layer;
import dev.outpost.torch.fuzz.FuzzStatement.Literal;
import dev.outpost.torch.fuzz.FuzzStatement.Step;
import dev.outpost.torch.fuzz.FuzzStatement.Training;
import dev.outpost.torch.fuzz.FuzzStatement.ZeroGrad;
import dev.outpost.torch.ops.CallableOps;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** The variables, layers and optimizers of a program by name, and the effects of its statements on them. */
final class Workspace {
    private static final String GRADIENT = ".grad";
    private static final CallableOps OPS = new CallableOps();

    /** The ops whose result is or may be a view of their first operand, or that operand itself. */
    private static final Set<String> MAY_SHARE = Set.of(
            "view",
            "expand",
            "unsqueeze",
            "squeeze",
            "unflatten",
            "detach",
            "atleast_1d",
            "atleast_2d",
            "atleast_3d",
            "permute",
            "transpose",
            "t",
            "T",
            "mT",
            "movedim",
            "narrow",
            "select",
            "slice",
            "diagonal",
            "unfold",
            "unbind",
            "split",
            "chunk",
            "tensor_split",
            "reshape",
            "flatten",
            "ravel",
            "contiguous",
            "__getitem__",
            "broadcast_tensors",
            "positive",
            "real",
            "conj",
            "double",
            "float",
            "half",
            "bfloat16",
            "long",
            "int",
            "short",
            "char",
            "byte",
            "bool",
            "diag");

    /** The ones among them that copy if strides do not allow a view; the strides of a new tensor always do. */
    private static final Set<String> MAY_COPY = Set.of("reshape", "flatten", "ravel", "contiguous");

    /** The ops that write running statistics, if they get any. */
    private static final Set<String> UPDATES_STATISTICS =
            Set.of("nn.functional.batch_norm", "nn.functional.instance_norm", "native_batch_norm");

    private final RemoteMachine machine;
    private final Map<String, Tensor> variables = new LinkedHashMap<>();
    private final Map<String, Module> layers = new LinkedHashMap<>();
    private final Map<String, Optimizer> optimizers = new LinkedHashMap<>();
    private final Set<String> literals = new LinkedHashSet<>();
    private final Map<String, String> bases = new HashMap<>();
    private final Set<String> unsure = new HashSet<>();

    Workspace(RemoteMachine machine) {
        this.machine = machine;
    }

    void execute(FuzzStatement statement) {
        switch (statement) {
            case Literal literal ->
                define(literal, machine.tensor(literal.value()).requiresGrad(literal.requiresGrad()));
            case Invocation call -> define(call, call.withoutGrad() ? GradMode.noGrad(() -> call(call)) : call(call));
            case Backward backward ->
                tensor(backward.output())
                        .backward(backward.cotangent().map(this::tensor).orElse(null), backward.retainGraph());
            case Layer layer -> layers.put(layer.name(), made(layer));
            case Forward forward ->
                variables.put(forward.name(), layers.get(forward.layer()).forward(tensor(forward.input())));
            case Training training ->
                optimizers.put(training.name(), training.kind().make(parameters(training), training.settings()));
            case Step step -> optimizers.get(step.optimizer()).step();
            case ZeroGrad zeroGrad -> optimizers.get(zeroGrad.optimizer()).zeroGrad();
        }
    }

    private Module made(Layer layer) {
        Module made = layer.kind().make(layer.sizes());
        return (layer.state().isEmpty() ? made.to(machine) : made.to(machine, layer.state())).train(layer.trains());
    }

    private List<Parameter> parameters(Training training) {
        return Stream.concat(
                        training.layers().stream().flatMap(name -> layers.get(name).parameters().stream()),
                        training.leaves().stream().map(this::tensor).map(Parameter::of))
                .toList();
    }

    private List<Tensor> call(Invocation call) {
        return OPS.call(machine, argument -> tensor(argument.name()), call.op(), call.arguments(), call.keywords());
    }

    void define(Literal literal, Tensor value) {
        literals.add(literal.name());
        variables.put(literal.name(), value);
    }

    private void define(Invocation call, List<Tensor> results) {
        if (call.isWrite()) {
            return;
        }
        String first = call.uses().findFirst().orElse("");
        if (MAY_SHARE.contains(call.op())) {
            bases.put(call.name(), base(first));
        }
        if (MAY_COPY.contains(call.op()) && !literals.contains(first)) {
            unsure.add(base(first));
        }
        if (!call.hasParts()) {
            variables.put(call.name(), results.getFirst());
            return;
        }
        for (int part = 0; part < results.size(); part++) {
            variables.put(call.name() + "[" + part + "]", results.get(part));
        }
    }

    private String base(String name) {
        String variable = FuzzStatement.variable(name);
        return bases.getOrDefault(variable, variable);
    }

    /** The variables by name. */
    Map<String, Tensor> variables() {
        return variables;
    }

    /** Returns a variable, a layer's parameter or buffer, or a gradient, which may be null. */
    Tensor tensor(String name) {
        if (name.endsWith(GRADIENT)) {
            return tensor(name.substring(0, name.length() - GRADIENT.length())).grad();
        }
        Tensor tensor = variables.get(name);
        return tensor == null ? ofLayer(name) : tensor;
    }

    private Tensor ofLayer(String name) {
        Module layer = layers.get(name.substring(0, Math.max(0, name.indexOf('.'))));
        if (layer == null) {
            throw new IllegalStateException("no variable is called " + name);
        }
        String path = name.substring(name.indexOf('.') + 1);
        Parameter parameter = layer.namedParameters().get(path);
        return parameter == null ? layer.namedBuffers().get(path).tensor() : parameter.tensor();
    }

    // ---- names

    /** Returns the variables that a statement may have changed. */
    Set<String> changedBy(FuzzStatement statement) {
        return switch (statement) {
            case Literal literal -> Set.of(literal.name());
            case Invocation call ->
                call.isWrite() || UPDATES_STATISTICS.contains(call.op()) ? variables.keySet() : results(call);
            case Backward backward -> gradients();
            case Layer layer -> state(layer.name());
            case Forward forward -> union(Set.of(forward.name()), state(forward.layer()));
            case Training training -> Set.of();
            case Step step -> union(variables.keySet(), states());
            case ZeroGrad zeroGrad -> gradients();
        };
    }

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> all = new LinkedHashSet<>(first);
        all.addAll(second);
        return all;
    }

    private Set<String> results(Invocation call) {
        Set<String> results = new LinkedHashSet<>(variables.keySet());
        results.removeIf(name -> !FuzzStatement.variable(name).equals(call.name()));
        return results;
    }

    private Set<String> state(String layer) {
        Set<String> names = new LinkedHashSet<>();
        layers.get(layer).namedParameters().keySet().forEach(path -> names.add(layer + "." + path));
        layers.get(layer).namedBuffers().keySet().forEach(path -> names.add(layer + "." + path));
        return names;
    }

    private Set<String> states() {
        Set<String> names = new LinkedHashSet<>();
        layers.keySet().forEach(layer -> names.addAll(state(layer)));
        return names;
    }

    /** Returns the names of the gradients of leaves and parameters. */
    private Set<String> gradients() {
        Set<String> names = new LinkedHashSet<>();
        literals.stream()
                .filter(name -> variables.containsKey(name))
                .filter(name -> variables.get(name).requiresGrad()
                        && variables.get(name).isLeaf())
                .forEach(name -> names.add(name + GRADIENT));
        layers.forEach((layer, module) ->
                module.namedParameters().keySet().forEach(path -> names.add(layer + "." + path + GRADIENT)));
        return names;
    }

    /** Returns the variables that the next statement may use. */
    List<Known> known() {
        List<Known> known = new ArrayList<>();
        variables.forEach((name, tensor) -> known.add(new Known(
                name,
                tensor.dtype(),
                tensor.shape(),
                tensor.requiresGrad(),
                tensor.isLeaf(),
                base(name),
                unsure.contains(base(name)))));
        return known;
    }

    /** Forgets the variable that a statement has defined. */
    void forget(FuzzStatement statement) {
        variables.keySet().removeIf(name -> FuzzStatement.variable(name).equals(statement.name()));
    }
}
