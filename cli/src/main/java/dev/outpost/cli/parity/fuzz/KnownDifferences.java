package dev.outpost.cli.parity.fuzz;

import dev.outpost.cli.parity.fuzz.Difference.Kind;
import dev.outpost.cli.parity.fuzz.Outcome.Refused;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** Differences that are as they should be, each with its reason. */
final class KnownDifferences {
    private record Entry(String reason, Predicate<Difference> applies) {}

    private static final List<Entry> ALL = List.of(
            new Entry("PyTorch has no CPU kernel for the dtype", KnownDifferences::isMissingKernel),
            new Entry("PyTorch answers a complex tensor", KnownDifferences::isComplex),
            new Entry("PyTorch crashed or hung", difference -> difference.kind() == Kind.PYTORCH_BREAKS));

    /** The first reason that applies. */
    Optional<String> reason(Difference difference) {
        return ALL.stream()
                .filter(entry -> entry.applies().test(difference))
                .map(Entry::reason)
                .findFirst();
    }

    private static boolean isMissingKernel(Difference difference) {
        return isRefusedByTorch(difference, "not implemented for '");
    }

    private static boolean isComplex(Difference difference) {
        return isRefusedByTorch(difference, "a complex");
    }

    private static boolean isRefusedByTorch(Difference difference, String words) {
        return difference.kind() == Kind.ONLY_PYTORCH_REFUSES
                && difference.theirs() instanceof Refused refused
                && refused.reason().contains(words);
    }
}
