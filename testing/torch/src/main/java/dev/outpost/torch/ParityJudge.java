package dev.outpost.torch;

import dev.outpost.HostTensor;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Lets a subject compute cases, and compares its answers with PyTorch's. */
public final class ParityJudge {
    private final ParitySubject subject;
    private final ParityPack pack;

    public ParityJudge(ParitySubject subject, ParityPack pack) {
        this.subject = subject;
        this.pack = pack;
    }

    public ParityOutcome judge(ParityCase parityCase) {
        return new ParityOutcome(parityCase.id(), parityCase.op(), difference(parityCase));
    }

    private Optional<String> difference(ParityCase parityCase) {
        if (!subject.knows(parityCase.op())) {
            return Optional.of("there is no such op");
        }
        try {
            return differenceOf(subject.compute(parityCase, pack), parityCase);
        } catch (RuntimeException | AssertionError failure) {
            // A defect in one op must not prevent the comparison of the others, so the failure is the result of this
            // case.
            return differenceOf(failure, parityCase);
        }
    }

    private Optional<String> differenceOf(ParityAnswer answer, ParityCase parityCase) {
        if (parityCase.isRefused()) {
            return Optional.of("was computed, but PyTorch refuses it: " + parityCase.refusal());
        }
        return outputDifference(answer.outputs(), parityCase)
                .or(() -> parityCase.cotangents().isEmpty()
                        ? Optional.empty()
                        : gradientDifference(answer.gradients(), parityCase));
    }

    /** Returns the difference for an exception; empty if both refuse the call as wrong. */
    private static Optional<String> differenceOf(Throwable failure, ParityCase parityCase) {
        boolean refuses = failure instanceof OutpostException refusal && refusal.kind() == FaultKind.USER;
        return refuses && parityCase.isRefused() ? Optional.empty() : Optional.of("threw " + failure);
    }

    private Optional<String> outputDifference(List<HostTensor> actual, ParityCase parityCase) {
        List<String> expected = parityCase.outputs();
        if (actual.size() != expected.size()) {
            return Optional.of("number of outputs: got " + actual.size() + ", expected " + expected.size());
        }
        return IntStream.range(0, expected.size())
                .mapToObj(index -> outputDifference(index, actual.get(index), parityCase))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> outputDifference(int index, HostTensor actual, ParityCase parityCase) {
        HostTensor expected = pack.tensor(parityCase.outputs().get(index));
        boolean isOtherChoice = FreeChoice.isOrderOfEqualKeys(parityCase, index)
                && FreeChoice.leadsToEqualKeys(parityCase, pack, actual, expected);
        return isOtherChoice ? Optional.empty() : tensorDifference("output " + index, actual, expected);
    }

    private Optional<String> gradientDifference(List<Optional<HostTensor>> actual, ParityCase parityCase) {
        List<Optional<String>> expected = parityCase.gradients();
        if (actual.size() != expected.size()) {
            return Optional.of("number of gradients: got " + actual.size() + ", expected " + expected.size());
        }
        return IntStream.range(0, expected.size())
                .mapToObj(index -> gradientDifference(index, actual.get(index), parityCase))
                .flatMap(Optional::stream)
                .findFirst();
    }

    private Optional<String> gradientDifference(int index, Optional<HostTensor> actual, ParityCase parityCase) {
        Optional<HostTensor> expected = parityCase.gradients().get(index).map(pack::tensor);
        String what = "gradient " + index;
        if (actual.isPresent() != expected.isPresent()) {
            return Optional.of(what + ": got " + (actual.isPresent() ? "one" : "none") + ", expected "
                    + (expected.isPresent() ? "one" : "none"));
        }
        return expected.map(gradient -> FreeChoice.hasZeroGradient(parityCase) ? zeros(gradient) : gradient)
                .flatMap(gradient -> tensorDifference(what, actual.orElseThrow(), gradient));
    }

    private static HostTensor zeros(HostTensor like) {
        return HostTensor.ofBytes(like.dtype(), like.shape(), new byte[like.bytes().length]);
    }

    private static Optional<String> tensorDifference(String what, HostTensor actual, HostTensor expected) {
        return ParityComparison.firstDifference(actual, expected).map(sentence -> what + ", " + sentence);
    }
}
