package dev.outpost.torch.ops;

import dev.outpost.RemoteMachine;
import dev.outpost.nn.Functional;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityPack;
import dev.outpost.types.DType;
import dev.outpost.vocabulary.Ops;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** docs/ops.md: all ops, from the table of names, the typed methods, and the facts that samples show. */
public final class OpsPage {
    /** The most listed items; more are replaced by their number. */
    private static final int MAX_INSTRUCTIONS = 6;

    private OpsPage() {}

    /** The facts that samples show, by op; ops without a sample are left out. */
    public static Map<String, OpFacts> facts(RemoteMachine machine, ParityPack pack) {
        Map<String, ParityCase> samples = pack.cases().stream()
                .filter(each -> !each.isRefused() && Ops.knows(each.op()))
                .collect(Collectors.toMap(
                        ParityCase::op, Function.identity(), (first, second) -> first, LinkedHashMap::new));
        Map<String, OpFacts> facts = new LinkedHashMap<>();
        try (MachineSubject subject = new MachineSubject(machine)) {
            samples.forEach((op, sample) -> facts.put(op, OpFacts.of(subject, sample, pack)));
        }
        return facts;
    }

    /** The page. */
    public static String text(Map<String, OpFacts> facts) {
        StringBuilder page = new StringBuilder(HEAD);
        for (String op : Ops.names()) {
            page.append("| ")
                    .append(Ops.signatures(op).stream()
                            .map(text -> "`" + text + "`")
                            .collect(Collectors.joining("<br>")))
                    .append(" | ")
                    .append(java(op))
                    .append(" | ")
                    .append(facts.containsKey(op) ? facts(facts.get(op)) : "| |")
                    .append(" |\n");
        }
        return page.toString();
    }

    private static String java(String op) {
        List<Method> methods = Ops.methods(op);
        if (methods.isEmpty()) {
            return "";
        }
        Method longest = methods.getLast();
        String parameters = Arrays.stream(longest.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(", "));
        Class<?> declaring = longest.getDeclaringClass();
        String owner = (Modifier.isPublic(declaring.getModifiers()) ? declaring : Functional.class).getSimpleName();
        String more = methods.size() == 1 ? "" : " and " + (methods.size() - 1) + " shorter";
        return "`" + owner + "." + longest.getName() + "(" + parameters + ")`" + more;
    }

    private static String facts(OpFacts facts) {
        return madeOf(facts) + " | " + dtypes(facts.dtypes()) + " | " + (facts.isDifferentiable() ? "yes" : "no");
    }

    private static String madeOf(OpFacts facts) {
        List<String> names = List.copyOf(facts.instructions());
        if (names.size() <= 1) {
            return names.isEmpty() ? "view or data" : "**" + names.getFirst() + "**";
        }
        int shown = Math.min(MAX_INSTRUCTIONS, names.size());
        String more = names.size() > shown ? " and " + (names.size() - shown) + " others" : "";
        return String.join(", ", names.subList(0, shown)) + more;
    }

    private static String dtypes(List<DType> dtypes) {
        if (dtypes.size() == DType.values().length) {
            return "all";
        }
        boolean isFloating = dtypes.stream().allMatch(DType::isFloating);
        if (isFloating && dtypes.size() == 4) {
            return "floating";
        }
        return dtypes.stream().map(DType::toString).collect(Collectors.joining(" "));
    }

    private static final String HEAD = """
        # All ops

        `./outpost parity --page docs/ops.md` writes this page from the table of names that `Ops.call` uses (`dev.outpost.vocabulary`).
        A test compares the page with the table.

        `Ops.call("clamp", List.of(x), Map.of("min", 0))` calls an op by PyTorch's name, with its parameters, keywords, defaults and
        overloads. The column *Java* shows the typed methods for the same ops. All ops refuse `out=`. The column *made of* shows
        the primitives that the call of a sample sends to the machine. A single bold name means that the op is a primitive. The call
        of another sample may need more or fewer primitives. *dtypes* are the dtypes that the sample's first tensor may have.
        *gradient* shows if a gradient flows from a result to an argument.

        The engines `reference`, `cpu` and `cuda` have their own kernels for all primitives. The exceptions are these primitives, which
        `cuda` computes on the host of the GPU: cholesky, lu_factor, pivot_order, solve_triangular, qr, eigh, eig, svd, ldl_factor,
        ldl_solve. `explain()` shows this.

        | PyTorch's signatures | Java | made of | dtypes | gradient |
        |---|---|---|---|---|
        """;
}
