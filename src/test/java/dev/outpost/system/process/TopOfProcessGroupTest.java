package dev.outpost.system.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.MachineGroup;
import dev.outpost.MachineOptions;
import dev.outpost.Tensor;
import dev.outpost.channel.Trust;
import dev.outpost.provider.ConnectionToken;
import dev.outpost.provider.Endpoint;
import dev.outpost.provider.GpuProvider;
import dev.outpost.provider.Lease;
import dev.outpost.provider.MachineSpec;
import dev.outpost.provider.ProvisioningStep;
import dev.outpost.system.doctor.OutpostProcess;
import io.smallrye.mutiny.Uni;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code ./outpost top} of a group of processes: the command is a process too, so all shown data have come over connections. */
@Tag("full")
class TopOfProcessGroupTest {
    private static final int SIZE = 2;
    private static final int ROWS = 64;
    private static final int COLUMNS = 48;
    private static final Pattern COLUMN_GAP = Pattern.compile("  +");
    private static final int ENGINE = 1;
    private static final int KERNELS = 6;

    @TempDir
    Path folder;

    /** Records the endpoints of its machines. */
    private record Watched(GpuProvider provider, CopyOnWriteArrayList<Endpoint> endpoints) implements GpuProvider {
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
            return provider.provision(spec, progress).invoke(lease -> endpoints.add(lease.endpoint()));
        }
    }

    @Test
    void whicheverMemberIsAskedAllAreShownAtWork() throws Exception {
        ProcessHost host = new ProcessHost(folder.resolve("machines"));
        Watched provider = new Watched(host.provider(), new CopyOnWriteArrayList<>());
        try (MachineGroup group = MachineGroup.of(provider, "any", SIZE, new MachineOptions())) {
            Tensor left = group.sharded(HostTensor.of(ones(ROWS * COLUMNS), ROWS, COLUMNS), 1);
            Tensor right = group.sharded(HostTensor.of(ones(COLUMNS * ROWS), COLUMNS, ROWS), 0);
            assertEquals(COLUMNS, mean(left, right));
            AtomicBoolean isOver = new AtomicBoolean();
            Thread work = Thread.ofPlatform().start(() -> {
                while (!isOver.get()) {
                    mean(left, right);
                }
            });
            try {
                List<CompletableFuture<Void>> looks = provider.endpoints().stream()
                        .map(endpoint -> CompletableFuture.runAsync(
                                () -> assertShowsAll(endpoint),
                                look -> Thread.ofPlatform().start(look)))
                        .toList();
                looks.forEach(CompletableFuture::join);
            } finally {
                isOver.set(true);
                work.join();
            }
        }
    }

    private static float[] ones(int count) {
        float[] ones = new float[count];
        Arrays.fill(ones, 1);
        return ones;
    }

    /** The members sum its terms. */
    private static double mean(Tensor left, Tensor right) {
        try (Tensor product = left.matmul(right);
                Tensor sum = product.relu();
                Tensor mean = sum.mean()) {
            return mean.itemDouble();
        }
    }

    private static void assertShowsAll(Endpoint endpoint) {
        Endpoint.Remote remote = (Endpoint.Remote) endpoint;
        String address = remote.host() + ":" + remote.port();
        ConnectionToken token = new ConnectionToken(remote.token(), Optional.of((Trust.Pin) remote.trust()));
        OutpostProcess top = top(address, token);
        assertEquals(0, top.status(), top::output);
        Map<String, Double> kernels = new TreeMap<>();
        top.output()
                .lines()
                .map(COLUMN_GAP::split)
                .filter(row -> row.length > KERNELS && row[ENGINE].equals("cpu"))
                .forEach(row -> kernels.merge(row[0], Double.parseDouble(row[KERNELS].replace(",", "")), Math::max));
        assertEquals(SIZE, kernels.size(), top::output);
        assertTrue(kernels.containsKey(address), top::output);
        assertTrue(
                kernels.keySet().stream().anyMatch(name -> name.matches("member [01] of session \\d+")), top::output);
        assertTrue(kernels.values().stream().allMatch(rate -> rate > 0), top::output);
        assertTrue(
                top.output().lines().anyMatch(line -> line.startsWith(address + " ") && line.contains("all_reduce")),
                top::output);
    }

    private static OutpostProcess top(String address, ConnectionToken token) {
        try {
            return OutpostProcess.outpost(
                    Map.of("OUTPOST_TOKEN", token.text()),
                    "top",
                    "--endpoint",
                    address,
                    "--looks",
                    "6",
                    "--interval",
                    "300ms",
                    "--instructions",
                    "64");
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
