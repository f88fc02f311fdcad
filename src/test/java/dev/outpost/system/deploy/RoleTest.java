package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.outpost.provider.k8s.check.Permission;
import dev.outpost.provider.k8s.check.Permissions;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBinding;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.Role;
import io.fabric8.kubernetes.api.model.rbac.RoleBinding;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The permissions of clients are those that they ask for: none is missing, and none is too much. */
@Tag("quick")
class RoleTest {
    private static final Role ROLE = Manifests.only(Role.class, Kustomization.objects(DeployFolder.BASE));

    @Test
    void roleCoversTheClientsRequests() {
        assertEquals(
                words(Stream.of(Permissions.NEEDED, Permissions.FOR_PORT_FORWARDING, Permissions.FOR_CLAIMS)
                        .flatMap(List::stream)),
                words(ROLE.getRules()));
    }

    @Test
    void kueueRoleCoversWorkloads() {
        Kustomization kueue = Kustomization.in(DeployFolder.overlay("kueue"));
        List<PolicyRule> added = kueue.patches().stream()
                .flatMap(patch -> patch.operations().stream())
                .peek(operation -> assertEquals("add /rules/-", operation.op() + " " + operation.path()))
                .map(operation -> Manifests.model(operation.value(), PolicyRule.class))
                .toList();
        assertEquals(words(Permissions.FOR_KUEUE.stream()), words(added));
    }

    @Test
    void onlyAReaderOfNodesSeesMoreThanItsNamespace() {
        var objects = Kustomization.objects(DeployFolder.component("node-reader"));
        ClusterRole reader = Manifests.only(ClusterRole.class, objects);
        assertEquals(words(Stream.of(Permissions.FOR_NODES, Permissions.FOR_FREE_GPUS)), words(reader.getRules()));
        assertFalse(Permissions.FOR_NODES.namespaced() || Permissions.FOR_FREE_GPUS.namespaced());
        ClusterRoleBinding binding = Manifests.only(ClusterRoleBinding.class, objects);
        assertEquals(reader.getMetadata().getName(), binding.getRoleRef().getName());
        assertEquals(binding().getSubjects(), binding.getSubjects());
    }

    @Test
    void aReaderOfDevicesSeesClassesAndSlicesOnly() {
        var objects = Kustomization.objects(DeployFolder.component("device-reader"));
        ClusterRole reader = Manifests.only(ClusterRole.class, objects);
        assertEquals(
                words(Stream.of(Permissions.FOR_DEVICE_CLASSES, Permissions.FOR_RESOURCE_SLICES)),
                words(reader.getRules()));
        assertFalse(Permissions.FOR_DEVICE_CLASSES.namespaced() || Permissions.FOR_RESOURCE_SLICES.namespaced());
        ClusterRoleBinding binding = Manifests.only(ClusterRoleBinding.class, objects);
        assertEquals(reader.getMetadata().getName(), binding.getRoleRef().getName());
        assertEquals(
                List.of("outpost-client", "outpost-backend"),
                binding.getSubjects().stream().map(subject -> subject.getName()).toList());
    }

    @Test
    void theRoleIsBoundToTheAccount() {
        assertEquals("Role", binding().getRoleRef().getKind());
        assertEquals(ROLE.getMetadata().getName(), binding().getRoleRef().getName());
        assertEquals(1, binding().getSubjects().size());
        assertEquals("ServiceAccount", binding().getSubjects().getFirst().getKind());
        assertEquals("outpost-client", binding().getSubjects().getFirst().getName());
    }

    private static RoleBinding binding() {
        return Manifests.only(RoleBinding.class, Kustomization.objects(DeployFolder.BASE));
    }

    private static Set<String> words(Stream<Permission> permissions) {
        return permissions
                .map(permission -> permission.verb() + " " + permission.qualifiedResource())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> words(Collection<PolicyRule> rules) {
        return rules.stream().flatMap(RoleTest::words).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Stream<String> words(PolicyRule rule) {
        assertEquals(List.of(), rule.getResourceNames());
        return rule.getVerbs().stream()
                .flatMap(verb -> rule.getResources().stream()
                        .flatMap(resource ->
                                rule.getApiGroups().stream().map(group -> new Permission(group, resource, verb, true))))
                .map(permission -> permission.verb() + " " + permission.qualifiedResource());
    }
}
