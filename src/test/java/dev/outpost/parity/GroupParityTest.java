package dev.outpost.parity;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.RemoteMachine;
import dev.outpost.torch.Argument;
import dev.outpost.torch.ParityAnswer;
import dev.outpost.torch.ParityCase;
import dev.outpost.torch.ParityJudge;
import dev.outpost.torch.ParityPack;
import dev.outpost.torch.ParitySubject;
import dev.outpost.torch.ops.MachineSubject;
import dev.outpost.torch.ops.PlacedSubject;
import dev.outpost.types.DType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests cases of the pack with operands that are placed at random on groups of machines: two runs have the same bits, and the results of
 * one machine.
 */
class GroupParityTest {
    private static final long SEED = 7;

    /** A sample takes the cases whose number has a certain remainder by this divisor. */
    private static final int SAMPLE = 61;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void someCasesGoOnGroupsAsOnOneMachine(int size) throws IOException {
        compare(size, SAMPLE, size);
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    @Timeout(value = 30, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void allCasesGoOnGroupsAsOnOneMachine(int size) throws IOException {
        compare(size, 1, 0);
    }

    private static void compare(int size, int step, int rest) throws IOException {
        List<String> differences = new ArrayList<>();
        Set<String> randomBases = KnownPackDifferences.all("rounding: the basis is random");
        try (ParityPack pack = ParityPack.open(
                        JudgedPack.resource("/parity/cases.jsonl").getParent());
                ParitySubject alone = new MachineSubject(RemoteMachine.of("mock", "A100"));
                ParitySubject first = placed(size);
                ParitySubject second = placed(size)) {
            for (int index = rest; index < pack.cases().size(); index += step) {
                ParityCase one = pack.cases().get(index);
                if (!alone.knows(one.op()) || randomBases.contains(one.id())) {
                    continue;
                }
                Told told = Told.by(first, one, pack);
                told.bits()
                        .differenceFrom(Told.by(second, one, pack).bits())
                        .ifPresent(bits -> differences.add(one.id() + " twice: " + bits));
                if (!new ParityJudge(told, pack).judge(one).passed()) {
                    told.differenceFrom(Told.by(alone, one, pack), longestSum(one, pack))
                            .ifPresent(difference -> differences.add(one.id() + ": " + difference));
                }
            }
        }
        assertEquals(List.of(), differences, size + " machines");
    }

    private static ParitySubject placed(int size) {
        RemoteMachine machine = MachineGroup.of("mock", "A100", size).machine();
        return new PlacedSubject(new MachineSubject(machine), machine, SEED);
    }

    /** The elements of the largest operand: no sum of the case has more terms in one step. */
    private static long longestSum(ParityCase one, ParityPack pack) {
        return Stream.concat(one.arguments().stream(), one.keywordArguments().values().stream())
                .flatMap(Argument::tensors)
                .mapToLong(operand -> pack.tensor(operand.name()).shape().elements())
                .max()
                .orElse(1);
    }

    /**
     * The answer to a case, or the reason why there is none.
     *
     * @param tensors the outputs, and then the gradients that flow
     */
    private record Told(Optional<ParityAnswer> answer, List<HostTensor> tensors, Optional<RuntimeException> refusal)
            implements ParitySubject {
        static Told by(ParitySubject subject, ParityCase one, ParityPack pack) {
            try {
                ParityAnswer answer = subject.compute(one, pack);
                List<HostTensor> tensors = new ArrayList<>(answer.outputs());
                answer.gradients().stream().flatMap(Optional::stream).forEach(tensors::add);
                return new Told(Optional.of(answer), tensors, Optional.empty());
            } catch (RuntimeException failure) {
                return new Told(Optional.empty(), List.of(), Optional.of(failure));
            }
        }

        @Override
        public boolean knows(String op) {
            return true;
        }

        @Override
        public ParityAnswer compute(ParityCase one, ParityPack pack) {
            return answer.orElseThrow(refusal::orElseThrow);
        }

        @Override
        public void close() {}

        Bits bits() {
            return new Bits(
                    tensors.stream().map(HostTensor::bytes).toList(),
                    refusal.map(each -> each.getClass().getName()));
        }

        Optional<String> differenceFrom(Told other, long terms) {
            if (refusal.isPresent() != other.refusal.isPresent() || tensors.size() != other.tensors.size()) {
                return Optional.of("got " + this + ", and " + other + " on one machine");
            }
            return IntStream.range(0, tensors.size())
                    .mapToObj(index -> difference(tensors.get(index), other.tensors.get(index), terms))
                    .flatMap(Optional::stream)
                    .findFirst();
        }

        /** A sum of n terms in another order differs by n roundings of the largest magnitude at most. */
        private static Optional<String> difference(HostTensor got, HostTensor expected, long terms) {
            if (!got.shape().equals(expected.shape()) || got.dtype() != expected.dtype()) {
                return Optional.of(
                        "got " + got.dtype() + got.shape() + ", expected " + expected.dtype() + expected.shape());
            }
            if (!got.dtype().isFloating()) {
                return Arrays.equals(got.bytes(), expected.bytes())
                        ? Optional.empty()
                        : Optional.of("got " + got + ", expected " + expected);
            }
            double bound = terms * rounding(got.dtype()) * largest(expected);
            for (long index = 0; index < got.shape().elements(); index++) {
                double one = got.getDouble(index);
                double other = expected.getDouble(index);
                boolean isSame = Double.compare(one, other) == 0 || one == other;
                if (!isSame && !(Math.abs(one - other) <= bound)) {
                    return Optional.of(
                            "element " + index + ": got " + one + ", expected " + other + " within " + bound);
                }
            }
            return Optional.empty();
        }

        private static double largest(HostTensor tensor) {
            double largest = 0;
            for (long index = 0; index < tensor.shape().elements(); index++) {
                double magnitude = Math.abs(tensor.getDouble(index));
                largest = Double.isFinite(magnitude) ? Math.max(largest, magnitude) : largest;
            }
            return largest;
        }

        private static double rounding(DType dtype) {
            return switch (dtype) {
                case FLOAT64 -> 0x1p-53;
                case FLOAT32 -> 0x1p-24;
                case FLOAT16 -> 0x1p-11;
                case BFLOAT16 -> 0x1p-8;
                case INT64, INT32, INT16, INT8, UINT8, BOOL -> 0;
            };
        }
    }

    private record Bits(List<byte[]> tensors, Optional<String> refusal) {
        Optional<String> differenceFrom(Bits other) {
            boolean isSame = refusal.equals(other.refusal)
                    && tensors.size() == other.tensors.size()
                    && IntStream.range(0, tensors.size())
                            .allMatch(index -> Arrays.equals(tensors.get(index), other.tensors.get(index)));
            return isSame ? Optional.empty() : Optional.of("other bits");
        }
    }
}
