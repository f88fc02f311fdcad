package dev.outpost.torch.fuzz;

import dev.outpost.torch.ParityComparison;
import dev.outpost.torch.fuzz.Difference.Kind;
import dev.outpost.torch.fuzz.StatementOutcome.Broken;
import dev.outpost.torch.fuzz.StatementOutcome.Computed;
import dev.outpost.torch.fuzz.StatementOutcome.Refused;
import java.util.List;
import java.util.Optional;

/** Compares the answers of the two sides to a statement. */
final class SeenComparison {
    /** A difference that the answers show. */
    record Found(Kind kind, String where, String text) {}

    private SeenComparison() {}

    static List<Found> differences(StatementOutcome ours, StatementOutcome theirs) {
        return switch (ours) {
            case Broken broken -> List.of(new Found(Kind.OUTPOST_BREAKS, "", broken.reason()));
            case Refused refused -> againstRefusal(refused, theirs);
            case Computed computed -> againstValues(computed, theirs);
        };
    }

    private static List<Found> againstRefusal(Refused ours, StatementOutcome theirs) {
        return switch (theirs) {
            case Broken broken -> List.of(new Found(Kind.PYTORCH_BREAKS, "", broken.reason()));
            case Refused refused -> List.of();
            case Computed computed ->
                List.of(new Found(Kind.ONLY_OUTPOST_REFUSES, "", "Outpost refuses it: " + ours.reason()));
        };
    }

    private static List<Found> againstValues(Computed ours, StatementOutcome theirs) {
        return switch (theirs) {
            case Broken broken -> List.of(new Found(Kind.PYTORCH_BREAKS, "", broken.reason()));
            case Refused refused ->
                List.of(new Found(Kind.ONLY_PYTORCH_REFUSES, "", "PyTorch refuses it: " + refused.reason()));
            case Computed computed ->
                ours.seen().entrySet().stream()
                        .flatMap(entry ->
                                difference(
                                        entry.getKey(),
                                        entry.getValue(),
                                        computed.seen().get(entry.getKey()))
                                        .stream())
                        .toList();
        };
    }

    private static Optional<Found> difference(String name, Optional<Seen> ours, Optional<Seen> theirs) {
        if (ours.isPresent() != theirs.isPresent()) {
            String text = ours.isPresent() ? "got a gradient, expected none" : "got no gradient, expected one";
            return Optional.of(new Found(Kind.GRADIENT_PRESENCE, name, text));
        }
        return ours.flatMap(seen -> difference(name, seen, theirs.orElseThrow()));
    }

    private static Optional<Found> difference(String name, Seen ours, Seen theirs) {
        return ParityComparison.firstDifference(ours.value(), theirs.value())
                .map(text -> new Found(kind(ours, theirs), name, text))
                .or(() -> requiresGradDifference(name, ours, theirs));
    }

    private static Kind kind(Seen ours, Seen theirs) {
        if (ours.value().dtype() != theirs.value().dtype()) {
            return Kind.DTYPE;
        }
        return ours.value().shape().equals(theirs.value().shape()) ? Kind.VALUE : Kind.SHAPE;
    }

    private static Optional<Found> requiresGradDifference(String name, Seen ours, Seen theirs) {
        return ours.requiresGrad() == theirs.requiresGrad()
                ? Optional.empty()
                : Optional.of(new Found(
                        Kind.REQUIRES_GRAD,
                        name,
                        "requires_grad: got " + ours.requiresGrad() + ", expected " + theirs.requiresGrad()));
    }
}
