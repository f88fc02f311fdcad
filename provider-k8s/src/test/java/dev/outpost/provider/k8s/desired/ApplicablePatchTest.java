package dev.outpost.provider.k8s.desired;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.outpost.provider.fleet.JobRun;
import dev.outpost.provider.fleet.MachineBounds;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeMount;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests one patch with different pods. */
@Tag("quick")
class ApplicablePatchTest {
    private static final String JOB = """
            spec:
              template:
                spec:
                  containers:
                  - {name: job, image: python:3, resources: {limits: {memory: 4Gi}}}
                  - {name: machine, workingDir: /work}
            """;

    private static KubernetesMachineSpec machine(String patch) {
        return MachineSpecFixtures.of("A100", "patch", patch);
    }

    private static KubernetesMachineSpec ofJob(String patch) {
        KubernetesMachineSpec plain = machine(patch);
        JobRun run = new JobRun(URI.create("https://gpu.example.org"), "token", Optional.empty());
        LifetimePolicy lifetime =
                new LifetimePolicy.Controlled("test", MachineBounds.NONE, List.of(), Map.of(), Optional.of(run));
        return new KubernetesMachineSpec(plain.id(), plain.gpu(), lifetime, plain.owner(), plain.config());
    }

    private static PodSpec pod(KubernetesMachineSpec request) {
        return DesiredState.job(request).getSpec().getTemplate().getSpec();
    }

    private static PodSpec group(String patch, boolean isOnePod) {
        GroupRequest group = new GroupRequest(machine(patch), 2, isOnePod);
        return GroupState.job(group).getSpec().getTemplate().getSpec();
    }

    private static PodSpec plain(String podPatch) {
        return pod(machine("{spec: {template: {spec: " + podPatch + "}}}"));
    }

    private static List<String> containers(PodSpec pod) {
        return pod.getContainers().stream().map(Container::getName).toList();
    }

    private static List<String> volumes(PodSpec pod) {
        return pod.getVolumes().stream().map(Volume::getName).toList();
    }

    private static List<String> mounts(PodSpec pod) {
        return pod.getContainers().getFirst().getVolumeMounts().stream()
                .map(VolumeMount::getMountPath)
                .toList();
    }

    @Test
    void containerOfJobsIsPatchedWhereThereIsOne() {
        PodSpec with = pod(ofJob(JOB));
        assertEquals(List.of("machine", "job"), containers(with));
        assertEquals("python:3", with.getContainers().getLast().getImage());
        PodSpec without = pod(machine(JOB));
        assertEquals(List.of("machine"), containers(without));
        assertEquals("/work", without.getContainers().getFirst().getWorkingDir());
        assertEquals(List.of("machine"), containers(group(JOB, false)));
        assertEquals(List.of("machine", "machine-1"), containers(group(JOB, true)));
    }

    @Test
    void halfOfAContainerIsNotAdded() {
        PodSpec pod =
                plain("{containers: [{name: machien, workingDir: /x}], initContainers: [{name: check, args: [x]}]}");
        assertEquals(List.of("machine"), containers(pod));
        assertEquals(List.of(), pod.getInitContainers());
    }

    @Test
    void wholeContainersAreAdded() {
        PodSpec pod =
                plain("{containers: [{name: proxy, image: proxy:1}], initContainers: [{name: check, image: c:1}]}");
        assertEquals(List.of("machine", "proxy"), containers(pod));
        assertEquals("check", pod.getInitContainers().getFirst().getName());
    }

    @Test
    void membersOfOneNodeAreNotOfOthers() {
        String patch = "{spec: {template: {spec: {containers: [{name: machine-1, workingDir: /second}]}}}}";
        assertEquals(List.of("machine"), containers(pod(machine(patch))));
        assertEquals("/second", group(patch, true).getContainers().getLast().getWorkingDir());
    }

    @Test
    void volumesThatOnlySomePodsHaveAreNotAdded() {
        String patch =
                "{spec: {template: {spec: {volumes: [{name: group, secret: {defaultMode: 256}}, {name: other}]}}}}";
        assertEquals(List.of("key", "metrics", "scratch"), volumes(pod(machine(patch))));
        assertEquals(256, group(patch, false).getVolumes().getLast().getSecret().getDefaultMode());
    }

    @Test
    void volumesWithASourceAreAddedWithTheirMounts() {
        PodSpec pod = plain("{volumes: [{name: models, emptyDir: {}}], "
                + "containers: [{name: machine, volumeMounts: [{mountPath: /models, name: models}]}]}");
        assertEquals(
                List.of("key", "metrics", "scratch", "models"),
                volumes(pod).stream().toList());
        assertEquals("/models", mounts(pod).getLast());
    }

    @Test
    void mountsOfMissingVolumesAreSkipped() {
        String patch = "{spec: {template: {spec: {containers: [{name: machine, volumeMounts: "
                + "[{mountPath: /dev/shm, readOnly: true}, {mountPath: /grant, name: group}]}]}}}}";
        assertEquals(List.of("/var/run/outpost/key", "/var/run/outpost/metrics", "/tmp"), mounts(pod(machine(patch))));
        assertEquals("/grant", mounts(group(patch, false)).getLast());
        PodSpec shared = pod(MachineSpecFixtures.of("A100", "shared-memory", "1Gi", "patch", patch));
        assertEquals("/dev/shm", mounts(shared).getLast());
        assertEquals(
                true,
                shared.getContainers().getFirst().getVolumeMounts().getLast().getReadOnly());
    }

    @Test
    void listThatReplacesIsTakenAsItIs() {
        PodSpec pod = plain("{initContainers: [{$patch: replace}, {name: job, image: x:1}]}");
        assertEquals("job", pod.getInitContainers().getFirst().getName());
    }

    @Test
    void coverageNamesThePodsThatHaveAnElement() {
        String patch = """
                {spec: {template: {spec: {containers: [
                  {name: job, image: python:3},
                  {name: machine-1, workingDir: /x},
                  {name: machien, workingDir: /x},
                  {name: machine, volumeMounts: [{mountPath: /grant, name: group}]}]}}}}
                """;
        assertEquals(
                Map.of(
                        "container job",
                        List.of("machines of jobs"),
                        "container machine-1",
                        List.of("groups on one node"),
                        "container machien",
                        List.of(),
                        "mount /grant of container machine",
                        List.of("groups", "groups on one node")),
                PatchCoverage.partial(machine(patch).config()));
        assertEquals(
                Map.of(), PatchCoverage.partial(MachineSpecFixtures.of("A100").config()));
    }
}
