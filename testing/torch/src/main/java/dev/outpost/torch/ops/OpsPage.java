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

        This page is written by `./outpost parity --page docs/ops.md` from the table that `Ops.call` goes by
        (`dev.outpost.vocabulary`); a test holds it to the table.

        `Ops.call("clamp", List.of(x), Map.of("min", 0))` calls an op by PyTorch's name, with its parameters, keywords, defaults and
        overloads; the typed methods beside it are the same ops for Java's compiler. `out=` is refused, once for all ops. Names in the
        column *made of* are the primitives that a sample's call hands to the machine, a single bold one where the op is a
        primitive; a sample may have shapes for which fewer are needed. *dtypes* are those that the sample's first tensor may
        have. *gradient* says whether one flows from a result to an argument.

        Engines: `reference`, `cpu` and `cuda` have a kernel of their own for every primitive, except that on `cuda` these run on the
        host of the GPU, as `explain()` says: cholesky, lu_factor, pivot_order, solve_triangular, qr, eigh, eig, svd, ldl_factor, ldl_solve.

        | PyTorch's signatures | Java | made of | dtypes | gradient |
        |---|---|---|---|---|
        """;
}
