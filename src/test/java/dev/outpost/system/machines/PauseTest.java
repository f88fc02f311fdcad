package dev.outpost.system.machines;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineOptions;
import dev.outpost.Program;
import dev.outpost.RemoteMachine;
import dev.outpost.Scan;
import dev.outpost.Tensor;
import dev.outpost.examples.DigitsTraining;
import dev.outpost.linalg.Linalg;
import dev.outpost.nn.Functional;
import dev.outpost.nn.Linear;
import dev.outpost.optim.AdamW;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.provider.mock.MockProvider;
import dev.outpost.provider.mock.MockSettings;
import dev.outpost.support.tests.Await;
import dev.outpost.types.DType;
import dev.outpost.types.FaultKind;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PauseTest {
    @TempDir
    Path folder;

    private MachineOptions options() {
        return new MachineOptions().option("sources", "file:" + folder).store("file:" + folder);
    }

    private RemoteMachine machine() {
        return RemoteMachine.of("mock", "A100", options());
    }

    /** Returns the sizes of the files with elements, by path. */
    private Map<String, Long> chunks() throws IOException {
        Map<String, Long> sizes = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder.resolve("states"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (!file.toString().endsWith(".manifest")) {
                    sizes.put(folder.relativize(file).toString(), Files.size(file));
                }
            }
        }
        return sizes;
    }

    private Path largestChunk() throws IOException {
        return chunks().entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(entry -> folder.resolve(entry.getKey()))
                .orElseThrow();
    }

    private Path manifest() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("states"))) {
            return files.filter(file -> file.toString().endsWith(".manifest"))
                    .max(Comparator.comparing(Path::toString))
                    .orElseThrow();
        }
    }

    // ---- what continues

    private record Run(List<DigitsTraining.Epoch> epochs, List<byte[]> weights) {}

    private static Run train(RemoteMachine machine, boolean pauses) {
        List<DigitsTraining.Epoch> epochs = new ArrayList<>();
        DigitsTraining training = new DigitsTraining(machine, 0);
        training.run(3, epoch -> {
            epochs.add(epoch);
            if (pauses) {
                machine.pause();
            }
        });
        return new Run(
                epochs,
                training.model().parameters().stream()
                        .map(parameter -> parameter.tensor().toHost().bytes())
                        .toList());
    }

    @Test
    void aTrainingThatIsPausedAfterEachEpochEndsWithTheSameBits() {
        Run expected;
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            expected = train(machine, false);
        }
        try (RemoteMachine machine = machine()) {
            Run paused = train(machine, true);
            assertEquals(expected.epochs(), paused.epochs());
            assertEquals(expected.weights().size(), paused.weights().size());
            for (int index = 0; index < expected.weights().size(); index++) {
                assertArrayEquals(
                        expected.weights().get(index), paused.weights().get(index), "parameter " + index);
            }
        }
    }

    /** Trains by a program with an optimizer and dropout. Runs {@code between} after each step. */
    private static List<Double> losses(RemoteMachine machine, Runnable between) {
        machine.manualSeed(7);
        Linear layer = new Linear(8, 4);
        layer.to(machine);
        AdamW optimizer = new AdamW(layer.parameters(), 1e-2);
        Tensor images = machine.randn(16, 8);
        Program step = machine.program(inputs -> {
            optimizer.zeroGrad();
            Tensor loss = Functional.dropout(layer.forward(inputs.get(0)), 0.3, true)
                    .pow(2)
                    .mean();
            loss.backward();
            optimizer.step();
            return List.of(loss.detach());
        });
        List<Double> losses = new ArrayList<>();
        for (int number = 0; number < 6; number++) {
            losses.add(step.call(images).getFirst().itemDouble());
            between.run();
        }
        return losses;
    }

    @Test
    void aProgramWithAnOptimizerAndDropoutContinues() {
        List<Double> expected;
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            expected = losses(machine, () -> {});
        }
        try (RemoteMachine machine = machine()) {
            assertEquals(expected, losses(machine, machine::pause));
            assertFalse(machine.toString().contains("paused, "), machine::toString);
        }
    }

    @Test
    void draws() {
        try (RemoteMachine machine = machine();
                RemoteMachine other = RemoteMachine.of("mock", "A100")) {
            byte[] before = machine.randn(5).toHost().bytes();
            machine.pause();
            byte[] after = machine.randn(5).toHost().bytes();
            assertArrayEquals(other.randn(5).toHost().bytes(), before);
            assertArrayEquals(other.randn(5).toHost().bytes(), after);
        }
    }

    @Test
    void emissionsOfAScanCanBeTakenAfterThePause() {
        try (RemoteMachine machine = machine()) {
            Program body = machine.program(inputs -> List.of(inputs.get(0).add(1), inputs.get(0)));
            Scan scan = machine.scan(body, List.of(machine.zeros(3)), 2000);
            machine.pause();
            Tensor carry = scan.carry().getFirst();
            assertEquals(6000.0, carry.sum().itemDouble());
            List<Float> emitted = new ArrayList<>();
            for (List<HostTensor> each : scan.emissions()) {
                emitted.add(each.getFirst().toFloatArray()[0]);
            }
            assertEquals(2000, emitted.size());
            assertEquals(1999f, emitted.getLast());
            Scan again = machine.scan(body, List.of(carry), 10);
            assertEquals(6030.0, again.carry().getFirst().sum().itemDouble());
        }
    }

    @Test
    void valuesThatWereReadNeedNoMachine() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(4);
            x.sum().item();
            float[] elements = x.toHost().toFloatArray();
            machine.pause();
            assertArrayEquals(elements, x.toHost().toFloatArray());
            assertTrue(machine.toString().contains("paused"), machine::toString);
            machine.resume();
            assertTrue(machine.toString().contains("ready"), machine::toString);
            assertEquals(8.0, x.add(1).sum().itemDouble());
        }
    }

    @Test
    void aPausedMachineFreesWhatIsClosedMeanwhile() {
        try (RemoteMachine machine = machine()) {
            Tensor kept = machine.ones(3);
            Tensor closed = machine.ones(1000).mul(2);
            machine.synchronize();
            machine.pause();
            closed.close();
            assertEquals(3.0, kept.sum().itemDouble());
            machine.pause();
            assertEquals(3.0, kept.mul(1).sum().itemDouble());
        }
    }

    @Test
    void largeViewsExpandedAndEmptyValuesComeBack() {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.arange(3_000_000).float32().reshape(1000, 3000);
            Tensor turned = large.t().contiguous();
            Tensor bool = large.gt(1.5e6);
            Tensor empty = machine.zeros(0, 4);
            Tensor wide = machine.ones(1).expand(1000, 1000).clone();
            double sum = large.sum().itemDouble();
            double sumOfTurned = turned.sum().itemDouble();
            machine.pause();
            assertEquals(sum, large.sum().itemDouble());
            assertEquals(sumOfTurned, turned.sum().itemDouble());
            assertEquals(3001.0, turned.slice(0, 1, 2).slice(1, 1, 2).sum().itemDouble());
            assertEquals(1_499_999.0, bool.float32().sum().itemDouble());
            assertEquals(Shape.of(0, 4), empty.shape());
            assertEquals(1e6, wide.sum().itemDouble());
        }
    }

    // ---- incremental states

    @Test
    void aSecondPauseWritesOnlyWhatHasChanged() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.randn(1024, 1024);
            Tensor small = machine.randn(10);
            machine.pause();
            Map<String, Long> first = chunks();
            machine.resume();
            machine.pause();
            assertEquals(first, chunks(), "nothing has changed");
            small.add_(1);
            machine.pause();
            Map<String, Long> third = chunks();
            third.keySet().removeAll(first.keySet());
            assertEquals(List.of(40L), List.copyOf(third.values()), "only the small tensor has changed");
            large.mul_(2);
            machine.pause();
            Map<String, Long> fourth = chunks();
            fourth.keySet().removeAll(third.keySet());
            assertEquals(List.of(4L << 20), List.copyOf(fourth.values()), "only the large tensor has changed");
            assertEquals(large.sum().itemDouble(), large.sum().itemDouble());
        }
    }

    @Test
    void onlyTheLatestStateStaysAndNoneAfterTheEnd() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.randn(1024, 1024);
            for (int pause = 0; pause < 3; pause++) {
                x.mul_(2);
                machine.pause();
                assertEquals(1, chunks().size());
                assertEquals(pause + 1 + ".manifest", manifest().getFileName().toString());
                try (Stream<Path> files = Files.walk(folder)) {
                    assertEquals(2, files.filter(Files::isRegularFile).count());
                }
            }
            machine.resume();
        }
        assertFalse(Files.exists(folder.resolve("states")), "the program that could load the states has ended");
    }

    @Test
    void aMachineCanKeepItsStates() throws IOException {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100", options().keepStates(true))) {
            machine.ones(10);
            machine.pause();
            machine.resume();
        }
        assertEquals("1.manifest", manifest().getFileName().toString());
        assertEquals(1, chunks().size());
    }

    @Test
    void chunksThatWereDeletedAreWrittenAgain() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.randn(1024, 1024);
            byte[] elements = large.toHost().bytes();
            machine.pause();
            machine.resume();
            Files.delete(largestChunk());
            machine.pause();
            assertArrayEquals(elements, large.mul(1).toHost().bytes());
        }
    }

    // ---- threads

    @Test
    void otherThreadsReadAndComputeWhileTheMachineIsPaused() throws Exception {
        try (RemoteMachine machine = machine();
                ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Tensor x = machine.arange(100_000).float32();
            double sum = x.sum().itemDouble();
            AtomicBoolean isDone = new AtomicBoolean();
            List<Future<Integer>> readers = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                readers.add(threads.submit((Callable<Integer>) () -> {
                    int rounds = 0;
                    while (!isDone.get()) {
                        try (Tensor more = x.add(0);
                                Tensor total = more.sum()) {
                            assertEquals(sum, total.itemDouble());
                            assertEquals(400_000, more.toHost().bytes().length);
                        }
                        rounds++;
                    }
                    return rounds;
                }));
            }
            for (int pause = 0; pause < 8; pause++) {
                machine.pause();
            }
            isDone.set(true);
            for (Future<Integer> reader : readers) {
                Await.within("a reader goes on", () -> assertTrue(reader.get() > 0));
            }
        }
    }

    @Test
    void twoThreadsPauseAtOnce() throws Exception {
        try (RemoteMachine machine = machine();
                ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Tensor x = machine.ones(10);
            Future<?> first = threads.submit(machine::pause);
            Future<?> second = threads.submit(machine::pause);
            first.get();
            second.get();
            assertEquals(10.0, x.sum().itemDouble());
        }
    }

    @Test
    void scansBeginWhileTheMachineIsPaused() throws Exception {
        try (RemoteMachine machine = machine();
                ExecutorService threads = Executors.newSingleThreadExecutor()) {
            Program body = machine.program(inputs -> List.of(inputs.get(0).add(1), inputs.get(0)));
            AtomicBoolean isDone = new AtomicBoolean();
            Future<Integer> scans = threads.submit(() -> {
                int rounds = 0;
                while (!isDone.get()) {
                    Scan scan = machine.scan(body, List.of(machine.zeros(3)), 20);
                    assertEquals(60.0, scan.carry().getFirst().sum().itemDouble());
                    int emitted = 0;
                    for (List<HostTensor> each : scan.emissions()) {
                        emitted += each.size();
                    }
                    assertEquals(20, emitted);
                    rounds++;
                }
                return rounds;
            });
            for (int pause = 0; pause < 8; pause++) {
                machine.pause();
            }
            isDone.set(true);
            Await.within("the scans go on", () -> assertTrue(scans.get() > 0));
        }
    }

    @Test
    void programsThatAreDroppedWhileTheMachineIsPausedLeaveTheOthersWhole() {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(3);
            Program dropped = machine.program(inputs -> List.of(inputs.get(0).add(1)));
            Program kept = machine.program(inputs -> List.of(inputs.get(0).mul(5)));
            assertEquals(6.0, dropped.call(x).getFirst().sum().itemDouble());
            assertEquals(15.0, kept.call(x).getFirst().sum().itemDouble());
            machine.pause();
            dropped.close();
            Program next = machine.program(inputs -> List.of(inputs.get(0).mul(7)));
            assertEquals(21.0, next.call(x).getFirst().sum().itemDouble());
            assertEquals(15.0, kept.call(x).getFirst().sum().itemDouble());
        }
    }

    // ---- what goes wrong

    @Test
    void aStoreThatCannotBeReadAtPresentLosesNothing() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(10);
            machine.pause();
            Path chunk = largestChunk();
            byte[] content = Files.readAllBytes(chunk);
            Files.delete(chunk);
            Files.createDirectory(chunk);
            Path circle = Files.createSymbolicLink(chunk.resolve("circle"), chunk);
            OutpostException refused = assertThrows(OutpostException.class, machine::resume);
            assertTrue(refused.getMessage().contains("circle of links"), refused::getMessage);
            assertTrue(machine.toString().contains("paused"), machine::toString);
            Files.delete(circle);
            Files.delete(chunk);
            Files.write(chunk, content);
            assertEquals(10.0, x.sum().itemDouble());
        }
    }

    @Test
    void resumingARunningMachineDoesNothing() {
        try (RemoteMachine machine = machine()) {
            Tensor singular = Linalg.inv(machine.zeros(2, 2));
            machine.resume();
            assertThrows(OutpostException.class, () -> singular.toHost());
        }
    }

    /** After the first machine, starts no other one, and reports no failure. */
    private static final class StalledProvider implements GpuProvider {
        private final GpuProvider provider = new MockProvider();
        private final CountDownLatch asked = new CountDownLatch(2);

        @Override
        public String name() {
            return provider.name();
        }

        @Override
        public void validate(MachineSpec spec) {
            provider.validate(spec);
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            asked.countDown();
            return asked.getCount() == 0 ? Uni.createFrom().nothing() : provider.provision(spec, progress);
        }
    }

    @Test
    void aMachineClosesWhileItIsResumed() throws Exception {
        StalledProvider provider = new StalledProvider();
        RemoteMachine machine = RemoteMachine.of(provider, "A100", options());
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            machine.ones(3);
            machine.pause();
            Future<?> resuming = threads.submit(machine::resume);
            Await.opened("a machine is asked for", provider.asked);
            machine.close();
            ExecutionException refused = assertThrows(ExecutionException.class, resuming::get);
            assertTrue(refused.getMessage().contains("the machine is closed"), refused::getMessage);
        }
    }

    /** Starts no machine while {@code isFull} is true. */
    private static final class FullProvider implements GpuProvider {
        private final GpuProvider provider = new MockProvider();
        private volatile boolean isFull;

        @Override
        public String name() {
            return provider.name();
        }

        @Override
        public void validate(MachineSpec spec) {
            provider.validate(spec);
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return isFull
                    ? Uni.createFrom().failure(new OutpostException(FaultKind.EXTERNAL, "no GPU is free"))
                    : provider.provision(spec, progress);
        }
    }

    @Test
    void aMachineThatDoesNotStartStaysPaused() {
        FullProvider provider = new FullProvider();
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options())) {
            Tensor x = machine.ones(10);
            machine.pause();
            provider.isFull = true;
            OutpostException refused = assertThrows(OutpostException.class, machine::resume);
            assertTrue(refused.getMessage().contains("no GPU is free"), refused::getMessage);
            assertThrows(OutpostException.class, () -> x.add(1));
            assertThrows(OutpostException.class, () -> machine.ones(3));
            assertThrows(OutpostException.class, () -> x.sum().item());
            provider.isFull = false;
            assertEquals(20.0, x.add(1).sum().itemDouble());
        }
    }

    @Test
    void aMachineWithTooLittleMemoryIsRefusedAndTheNextOneResumes() {
        QuotaProvider provider = new QuotaProvider();
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", options())) {
            Tensor x = machine.ones(1024, 1024).mul(2);
            machine.synchronize();
            machine.pause();
            provider.quota = 1 << 20;
            OutpostException refused = assertThrows(OutpostException.class, machine::resume);
            assertEquals(FaultKind.RESOURCES, refused.kind());
            assertTrue(refused.getMessage().contains("ask for a machine with more memory"), refused::getMessage);
            provider.quota = 0;
            assertEquals(2.0 * 1024 * 1024, x.sum().itemDouble());
        }
    }

    /** Starts machines with the present quota. */
    private static final class QuotaProvider implements GpuProvider {
        private volatile long quota;

        @Override
        public String name() {
            return "mock";
        }

        @Override
        public void validate(MachineSpec spec) {
            new MockProvider().validate(spec);
        }

        @Override
        public Uni<Lease> provision(MachineSpec spec, Consumer<ProvisioningStep> progress) {
            return new MockProvider(MockSettings.STANDARD.withQuota(quota)).provision(spec, progress);
        }
    }

    @Test
    void aMachineWithoutAStoreSaysHowToSetOne() {
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100")) {
            OutpostException refused = assertThrows(OutpostException.class, machine::pause);
            assertEquals(FaultKind.USER, refused.kind());
            assertTrue(refused.getMessage().contains("MachineOptions.store(\"file:/states\")"), refused::getMessage);
        }
    }

    @Test
    void aStoreThatTheMachineMayNotOpenIsNamedAndTheMachineGoesOn() {
        MachineOptions wrong =
                new MachineOptions().option("sources", "file:" + folder).store("file:/elsewhere");
        try (RemoteMachine machine = RemoteMachine.of("mock", "A100", wrong)) {
            Tensor x = machine.ones(10);
            OutpostException refused = assertThrows(OutpostException.class, machine::pause);
            assertTrue(refused.getMessage().contains("may not open file:/elsewhere"), refused::getMessage);
            assertEquals(10.0, x.sum().itemDouble());
        }
    }

    @Test
    void aStoreThatCannotBeWrittenLosesNothing() throws IOException {
        Files.writeString(folder.resolve("states"), "a file in the place of the folder");
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(10);
            OutpostException refused = assertThrows(OutpostException.class, machine::pause);
            assertEquals(FaultKind.EXTERNAL, refused.kind());
            assertTrue(refused.getMessage().contains("the machine keeps 1 values"), refused::getMessage);
            assertEquals(10.0, x.sum().itemDouble());
            Files.delete(folder.resolve("states"));
            machine.pause();
            // A late writer of the first attempt could still write its own manifest.
            assertEquals("2.manifest", manifest().getFileName().toString());
            assertEquals(11.0, x.sum().add(1).itemDouble());
        }
    }

    @Test
    void aMissingChunkLosesOnlyItsValues() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.randn(1024, 1024);
            Tensor small = machine.ones(10);
            machine.pause();
            Path lost = largestChunk();
            Files.delete(lost);
            OutpostException told = assertThrows(OutpostException.class, machine::resume);
            assertTrue(
                    told.getMessage().contains("float32[1024,1024], is lost: " + folder.relativize(lost)),
                    told::getMessage);
            assertEquals(10.0, small.sum().itemDouble());
            OutpostException read =
                    assertThrows(OutpostException.class, () -> large.sum().item());
            assertTrue(read.getMessage().contains("is lost"), read::getMessage);
        }
    }

    @Test
    void aChangedChunkIsNotUsed() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor large = machine.randn(1024, 1024);
            Tensor small = machine.ones(10);
            machine.pause();
            byte[] content = Files.readAllBytes(largestChunk());
            content[12345] ^= 1;
            Files.write(largestChunk(), content);
            OutpostException told = assertThrows(OutpostException.class, machine::resume);
            assertTrue(told.getMessage().contains("was changed"), told::getMessage);
            assertThrows(OutpostException.class, () -> large.sum().item());
            assertEquals(10.0, small.sum().itemDouble());
        }
    }

    @Test
    void aChangedOrMissingManifestLeavesTheMachinePaused() throws IOException {
        try (RemoteMachine machine = machine()) {
            Tensor x = machine.ones(10);
            machine.pause();
            Path manifest = manifest();
            byte[] content = Files.readAllBytes(manifest);
            byte[] changed = content.clone();
            changed[changed.length - 1] ^= 1;
            Files.write(manifest, changed);
            OutpostException refused = assertThrows(OutpostException.class, machine::resume);
            assertTrue(refused.getMessage().contains("was changed"), refused::getMessage);
            Files.delete(manifest);
            OutpostException missing = assertThrows(OutpostException.class, () -> x.sum());
            assertTrue(missing.getMessage().contains("all values of the state are lost"), missing::getMessage);
            assertTrue(machine.toString().contains("paused"), machine::toString);
            Files.write(manifest, content);
            assertEquals(10.0, x.sum().itemDouble());
        }
    }

    @Test
    void theStateOfAnotherMachineIsRefused() throws IOException {
        try (RemoteMachine one = machine();
                RemoteMachine two = machine()) {
            Tensor mine = one.ones(10);
            two.zeros(10);
            one.pause();
            Path ofOne = manifest();
            two.pause();
            Path ofTwo;
            try (Stream<Path> files = Files.walk(folder.resolve("states"))) {
                ofTwo = files.filter(file -> file.toString().endsWith(".manifest") && !file.equals(ofOne))
                        .findFirst()
                        .orElseThrow();
            }
            byte[] own = Files.readAllBytes(ofOne);
            Files.write(ofOne, Files.readAllBytes(ofTwo));
            OutpostException refused = assertThrows(OutpostException.class, one::resume);
            assertTrue(refused.getMessage().contains("is not this session's state"), refused::getMessage);
            Files.write(ofOne, own);
            assertEquals(10.0, mine.sum().itemDouble());
        }
    }

    @Test
    void aValueThatAFaultReplacedKeepsItsFault() {
        try (RemoteMachine machine = machine()) {
            Tensor singular = Linalg.inv(machine.zeros(2, 2));
            Tensor fine = machine.ones(2);
            OutpostException before = assertThrows(OutpostException.class, () -> singular.toHost());
            machine.pause();
            OutpostException after =
                    assertThrows(OutpostException.class, () -> singular.sum().item());
            assertTrue(after.getMessage().contains("inv"), after::getMessage);
            assertEquals(before.kind(), after.kind());
            assertEquals(2.0, fine.sum().itemDouble());
        }
    }

    @Test
    void aPausedMachineCloses() {
        RemoteMachine machine = machine();
        Tensor x = machine.ones(3);
        machine.pause();
        machine.close();
        assertThrows(OutpostException.class, x::sum);
        assertThrows(OutpostException.class, machine::resume);
    }

    @Test
    void aGroupIsRefused() {
        try (RemoteMachine group = RemoteMachine.of("mock", "A100", options().gpuCount(2))) {
            OutpostException refused = assertThrows(OutpostException.class, group::pause);
            assertTrue(refused.getMessage().contains("a group cannot be paused"), refused::getMessage);
            assertEquals(3.0, group.ones(3).sum().itemDouble());
        }
    }

    @Test
    void manySmallValuesShareChunks() throws IOException {
        try (RemoteMachine machine = machine()) {
            List<Tensor> tensors = new ArrayList<>();
            for (int index = 0; index < 500; index++) {
                tensors.add(machine.full(index, DType.FLOAT32, 100));
            }
            machine.pause();
            assertEquals(1, chunks().size());
            double sum = 0;
            for (Tensor tensor : tensors) {
                sum += tensor.sum().itemDouble();
            }
            assertEquals(100.0 * 499 * 500 / 2, sum);
            assertEquals(Arrays.asList(200_000L), List.copyOf(chunks().values()));
        }
    }

    @Test
    void aMachineThatIsNotUsedIsPaused() {
        MockProvider provider = new MockProvider();
        MachineOptions idle = options().pauseWhenIdle(Duration.ofMillis(50));
        try (RemoteMachine machine = RemoteMachine.of(provider, "A100", idle)) {
            Tensor x = machine.ones(3);
            assertEquals(3.0, x.sum().itemDouble());
            for (int round = 0; round < 2; round++) {
                Await.until("it is released", () -> provider.machines().isEmpty());
                assertTrue(machine.toString().contains("paused"), machine::toString);
                x.add_(1);
                assertEquals(3.0 * (round + 2), x.sum().itemDouble(), "the next use resumes it");
            }
        }
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> RemoteMachine.of("mock", "A100", new MachineOptions().pauseWhenIdle(Duration.ofMinutes(1))));
        assertTrue(refused.getMessage().contains("needs a store"), refused::getMessage);
    }
}
