package dev.outpost.cli.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetWatch;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineRef;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.operators.multi.processors.UnicastProcessor;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("quick")
class LogTailTest {
    private static final MachineRef MACHINE = new MachineRef("a", 1);

    private final UnicastProcessor<String> lines = UnicastProcessor.create();

    /** A fleet of which only logs are asked. */
    private final class Logging implements MachineFleet {
        @Override
        public Multi<String> logs(MachineRef machine, boolean follow) {
            return lines;
        }

        @Override
        public String installation() {
            throw unexpected();
        }

        @Override
        public void validate(DesiredMachine machine) {
            throw unexpected();
        }

        @Override
        public MachineObservation ensure(DesiredMachine machine) {
            throw unexpected();
        }

        @Override
        public List<MachineObservation> list() {
            throw unexpected();
        }

        @Override
        public FleetWatch watch(Consumer<MachineObservation> listener) {
            throw unexpected();
        }

        @Override
        public void bind(MachineRef machine, Grant grant) {
            throw unexpected();
        }

        @Override
        public void revoke(MachineRef machine, String tokenSha256) {
            throw unexpected();
        }

        @Override
        public void end(MachineRef machine) {
            throw unexpected();
        }

        @Override
        public void close() {}

        private AssertionError unexpected() {
            return new AssertionError("only a log was to be asked for");
        }
    }

    @Test
    void linesThatArriveDuringASendAreSentNext() {
        try (LogTail tail = new LogTail(new Logging(), MACHINE)) {
            lines.onNext("one");
            lines.onNext("two");
            List<String> sent = tail.next(1_000);
            lines.onNext("three");
            assertEquals(List.of("one", "two"), sent);
            assertEquals(0, tail.first());
            tail.sent(sent.size());
            assertEquals(List.of("three"), tail.next(1_000));
            assertEquals(2, tail.first());
        }
    }

    @Test
    void manyLinesAreSentInParts() {
        try (LogTail tail = new LogTail(new Logging(), MACHINE)) {
            IntStream.range(0, 1_200).mapToObj(Integer::toString).forEach(lines::onNext);
            int sent = 0;
            for (List<String> part = tail.next(1_000); !part.isEmpty(); part = tail.next(1_000)) {
                assertEquals(Integer.toString(sent), part.getFirst());
                sent += part.size();
                tail.sent(part.size());
            }
            assertEquals(1_200, sent);
        }
    }

    @Test
    void aLineIsCutAndCleaned() {
        try (LogTail tail = new LogTail(new Logging(), MACHINE)) {
            lines.onNext("\u001b[31mred");
            lines.onNext("x".repeat(5_000));
            assertEquals(List.of(" [31mred"), tail.next(10));
            tail.sent(1);
            assertEquals(2_003, tail.next(10).getFirst().length(), "one line is sent in any case");
        }
    }
}
