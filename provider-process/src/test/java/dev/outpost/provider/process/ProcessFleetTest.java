package dev.outpost.provider.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.provider.GpuType;
import dev.outpost.provider.MachinePhase;
import dev.outpost.provider.fleet.DesiredMachine;
import dev.outpost.provider.fleet.FleetProvider;
import dev.outpost.provider.fleet.Grant;
import dev.outpost.provider.fleet.MachineFleet;
import dev.outpost.provider.fleet.MachineFleetContract;
import dev.outpost.provider.fleet.MachineObservation;
import dev.outpost.provider.fleet.MachineObservation.EndCause;
import dev.outpost.provider.fleet.MachineRef;
import dev.outpost.provider.fleet.ObservedFleet;
import dev.outpost.provider.fleet.Tenancy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The contract with a fake program in place of the runtime, and properties that only files show. */
class ProcessFleetTest extends MachineFleetContract {
    private static final int AT_ONCE = 16;

    @TempDir
    static Path folder;

    @Override
    protected FleetProvider provider() {
        return new ProcessProvider(options("serve"));
    }

    private static Map<String, String> options(String beginning) {
        try {
            return PaperRuntime.options(folder, beginning);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private static DesiredMachine machine(String id) {
        return DesiredMachine.of(new MachineRef(id, 1), GpuType.ANY, Grant.of("a1".repeat(32)));
    }

    @Test
    void manyReplicasMakeOneProcess() throws Exception {
        long before = PaperRuntime.started(folder);
        DesiredMachine wanted = machine("many");
        try (MachineFleet fleet = provider().open("many", Map.of());
                var observed = new ObservedFleet(fleet);
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<MachineObservation>> replicas = IntStream.range(0, AT_ONCE)
                    .<Callable<MachineObservation>>mapToObj(
                            replica -> () -> provider().open("many", Map.of()).ensure(wanted))
                    .toList();
            for (Future<MachineObservation> answer : threads.invokeAll(replicas)) {
                assertTrue(answer.get().isLive());
            }
            observed.await(wanted.machine(), MachinePhase.READY, patience());
            assertEquals(before + 1, PaperRuntime.started(folder));
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    @Test
    void replicasThatBindAtOnceAllHaveTheirWay() throws Exception {
        DesiredMachine wanted = machine("bound");
        try (MachineFleet fleet = provider().open("bound", Map.of());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            fleet.ensure(wanted);
            List<Callable<Void>> binds = new ArrayList<>();
            for (byte replica = 0; replica < AT_ONCE; replica++) {
                Grant grant =
                        Grant.of(HexFormat.of().formatHex(new byte[] {replica}).repeat(32));
                binds.add(() -> {
                    provider().open("bound", Map.of()).bind(wanted.machine(), grant);
                    return null;
                });
            }
            for (Future<Void> bound : threads.invokeAll(binds)) {
                bound.get();
            }
            assertEquals(AT_ONCE + 1, grants(wanted).distinct().count());
            fleet.end(wanted.machine());
        }
    }

    private static Stream<String> grants(DesiredMachine machine) throws IOException {
        return Files.readAllLines(
                folder.resolve("machines").resolve(machine.machine().name()).resolve("grants"))
                .stream();
    }

    @Test
    void failedStartNamesItsReason() throws Exception {
        assertEndsWith("refuse", "its runtime did not start: outpost runtime: port 1 cannot be served: it is taken");
        assertEndsWith("crash", "its JVM crashed: SIGSEGV (0xb) at pc=0x1, pid=2");
    }

    private void assertEndsWith(String beginning, String reason) throws InterruptedException {
        DesiredMachine wanted = machine(beginning);
        try (MachineFleet fleet = new ProcessProvider(options(beginning)).open(beginning, Map.of());
                var observed = new ObservedFleet(fleet)) {
            fleet.ensure(wanted);
            MachineObservation ended = observed.await(wanted.machine(), MachinePhase.ENDED, patience());
            assertEquals(Optional.of(EndCause.FAILED), ended.endCause());
            assertEquals(reason, ended.reason());
            fleet.end(wanted.machine());
            observed.await(wanted.machine(), MachinePhase.GONE, patience());
        }
    }

    @Test
    void stateFolderIsReadableByItsOwnerOnly() throws IOException {
        try (MachineFleet fleet = provider().open("private", Map.of())) {
            fleet.ensure(machine("private"));
            for (Path file : filesThatStay(folder.resolve("machines"))) {
                assertEquals("[]", rightsOfOthers(file), file::toString);
            }
            fleet.end(new MachineRef("private", 1));
        }
    }

    /** Files that are renamed while the folder is read are left out. */
    private static List<Path> filesThatStay(Path root) throws IOException {
        List<Path> found = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                found.add(directory);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                found.add(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException gone) throws IOException {
                if (gone instanceof NoSuchFileException) {
                    return FileVisitResult.CONTINUE;
                }
                throw gone;
            }
        });
        assertTrue(found.size() > 1, found::toString);
        return found;
    }

    /** Returns the rights of other users; none if the file was renamed meanwhile, like one that is written and then moved into place. */
    private static String rightsOfOthers(Path file) throws IOException {
        try {
            return Files.getPosixFilePermissions(file).stream()
                    .filter(right -> !right.name().startsWith("OWNER"))
                    .toList()
                    .toString();
        } catch (NoSuchFileException ignored) {
            return "[]";
        }
    }

    @Test
    void allMachinesOfAnInstallationHaveOneFolder() {
        try (MachineFleet fleet = provider().open("one", Map.of())) {
            DesiredMachine elsewhere = machine("elsewhere").withOptions(Map.of("state", "/tmp"));
            var refused = assertThrows(IllegalArgumentException.class, () -> fleet.ensure(elsewhere));
            assertTrue(refused.getMessage().startsWith("outpost.process.state: all machines"), refused::getMessage);
        }
        assertThrows(IllegalArgumentException.class, () -> provider().open("Not a label", Map.of()));
    }

    private static DesiredMachine machine(String id, Tenancy tenancy) {
        return machine(id).withLabels(Map.of(Tenancy.ORGANISATION_LABEL, "acme", Tenancy.LABEL, tenancy.text()));
    }

    private static MachineFleet open(String installation, String... settings) {
        Map<String, String> all = new HashMap<>(options("serve"));
        for (int i = 0; i < settings.length; i += 2) {
            all.put(settings[i], settings[i + 1]);
        }
        return new ProcessProvider(all).open(installation, Map.of());
    }

    @Test
    void hostThatKeepsNobodyApartServesTheOperatorOnly() {
        try (MachineFleet fleet = open("together", "isolation", "none")) {
            for (Tenancy stranger : List.of(Tenancy.TENANT, Tenancy.POOL)) {
                var refused =
                        assertThrows(IllegalArgumentException.class, () -> fleet.ensure(machine("stranger", stranger)));
                assertTrue(
                        refused.getMessage().startsWith("process: this host serves the operator's organisation only"),
                        refused::getMessage);
            }
            DesiredMachine own = machine("own", Tenancy.OPERATOR);
            assertTrue(fleet.ensure(own).isLive());
            fleet.end(own.machine());
        }
    }

    @Test
    void operatorMayTrustAllOrganisations() {
        try (MachineFleet fleet = open("trusting", "isolation", "none", "trust-all-organisations", "true")) {
            DesiredMachine stranger = machine("trusted", Tenancy.TENANT);
            assertTrue(fleet.ensure(stranger).isLive());
            fleet.end(stranger.machine());
        }
    }

    @Test
    void machineOfAnOrganisationServesInItsOwnView() throws Exception {
        assumeTrue(Files.exists(Path.of("/proc/self/ns")), "namespaces are of Linux");
        try (MachineFleet fleet = open("apart")) {
            DesiredMachine stranger = machine("apart", Tenancy.TENANT);
            try (var observed = new ObservedFleet(fleet)) {
                fleet.ensure(stranger);
                observed.await(stranger.machine(), MachinePhase.READY, patience());
                Path own = folder.resolve("machines").resolve(stranger.machine().name());
                String pid = Files.readAllLines(own.resolve("process")).getFirst();
                String environment = Files.readString(Path.of("/proc", pid, "environ"));
                assertTrue(environment.contains("PATH="), environment);
                assertTrue(
                        environment.contains("HOME=" + own.resolve("job")) && !environment.contains("JAVA_HOME="),
                        environment);
                fleet.end(stranger.machine());
                observed.await(stranger.machine(), MachinePhase.GONE, patience());
                assertFalse(Files.exists(own));
            }
        }
    }
}
