package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.channel.DebugLog;
import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import dev.outpost.provider.k8s.keys.MachineKey;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.net.URI;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;

/** Tests the container of a job's runner, beside the machine's container. */
@Tag("quick")
class JobContainerTest {
    private static final String TOKEN = "jr_secret";

    private static KubernetesMachineSpec request(Optional<JobRun> job) {
        KubernetesMachineSpec plain = MachineSpecFixtures.of("A100");
        return new KubernetesMachineSpec(
                plain.id(),
                plain.gpu(),
                new LifetimePolicy.Controlled("test", MachineBounds.NONE, List.of(), Map.of(), job),
                plain.owner(),
                plain.config());
    }

    private static KubernetesMachineSpec withJob() {
        return request(Optional.of(new JobRun(URI.create("https://gpu.example.org"), TOKEN, Optional.empty())));
    }

    private static List<Container> containers(KubernetesMachineSpec request) {
        return DesiredState.job(request).getSpec().getTemplate().getSpec().getContainers();
    }

    @Test
    void machineWithoutAJobHasOneContainer() {
        assertEquals(1, containers(request(Optional.empty())).size());
    }

    @Test
    void runnerIsAContainerWithoutGpuAndKey() {
        Container job = containers(withJob()).getLast();
        assertEquals("job", job.getName());
        assertEquals(JobRun.MAIN_CLASS, job.getCommand().getLast());
        assertTrue(job.getResources().getLimits().keySet().stream().noneMatch(name -> name.contains("gpu")));
        assertTrue(job.getVolumeMounts().stream()
                .noneMatch(mount -> mount.getName().equals("key")));
        assertEquals(false, job.getSecurityContext().getAllowPrivilegeEscalation());
        assertEquals(List.of("ALL"), job.getSecurityContext().getCapabilities().getDrop());
        assertEquals(true, job.getSecurityContext().getReadOnlyRootFilesystem());
    }

    /** With this file the runner trusts the backend's certificate, for every image of the container. */
    @Test
    void authorityOfTheBackendIsAFileOfTheRunner() {
        KubernetesMachineSpec request = request(
                Optional.of(new JobRun(URI.create("https://gpu.example.org"), TOKEN, Optional.of("a certificate"))));
        Container job = containers(request).getLast();
        String file = job.getEnv().stream()
                .filter(variable -> variable.getName().equals(JobRun.AUTHORITY_VARIABLE))
                .findFirst()
                .orElseThrow()
                .getValue();
        assertEquals("/var/run/outpost/runner/runner-authority", file);
        assertTrue(job.getVolumeMounts().stream()
                .anyMatch(mount -> file.startsWith(mount.getMountPath() + "/") && mount.getReadOnly()));
        Volume volume = DesiredState.job(request).getSpec().getTemplate().getSpec().getVolumes().stream()
                .filter(one -> one.getName().equals("runner-authority"))
                .findFirst()
                .orElseThrow();
        assertEquals(request.id(), volume.getSecret().getSecretName());
        assertEquals(1, volume.getSecret().getItems().size(), "it sees nothing else of the machine's Secret");
        MachineKey key = MachineKey.create(InstantSource.system(), new SecureRandom());
        String stored = DesiredState.secret(request, key, "uid").getData().get("runner-authority");
        assertEquals("a certificate", new String(Base64.getDecoder().decode(stored)));
    }

    @Test
    @ResourceLock(Resources.SYSTEM_PROPERTIES)
    void componentsToDebugArePassedOnToTheRuntime() {
        System.setProperty(DebugLog.PROPERTY, "planner,wire");
        try {
            assertTrue(containers(request(Optional.empty())).getFirst().getEnv().stream()
                    .anyMatch(variable -> variable.getName().equals(DebugLog.VARIABLE)
                            && variable.getValue().equals("planner,wire")));
        } finally {
            System.clearProperty(DebugLog.PROPERTY);
        }
        assertTrue(containers(request(Optional.empty())).getFirst().getEnv().stream()
                .noneMatch(variable -> variable.getName().equals(DebugLog.VARIABLE)));
    }

    @Test
    void tokenIsInTheSecretAndNowhereElse() {
        Job job = DesiredState.job(withJob());
        assertFalse(Serialization.asYaml(job).contains(TOKEN));
        MachineKey key = MachineKey.create(InstantSource.system(), new SecureRandom());
        Secret secret = DesiredState.secret(withJob(), key, "uid");
        assertEquals(
                TOKEN, new String(Base64.getDecoder().decode(secret.getData().get("runner-token"))));
        assertFalse(DesiredState.secret(request(Optional.empty()), key, "uid")
                .getData()
                .containsKey("runner-token"));
    }
}
