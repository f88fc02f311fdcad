package dev.outpost.cli.backend.resource;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.outpost.rest.client.BackendClient;
import dev.outpost.rest.client.TenantApi;
import dev.outpost.rest.tenant.KeyRequest;
import dev.outpost.rest.tenant.MemberRequest;
import dev.outpost.rest.tenant.ProjectRequest;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/** All kinds, in the order in which they are made: what others name comes first. */
public final class ResourceKinds {
    private static final String PROJECT = "project";
    private static final String SLUG = "Lower-case letters, digits and inner dashes.";
    private static final String FIRST = "default";

    static final List<ResourceKind> ALL = List.of(
            organisation(),
            project(),
            member(),
            key(),
            WorkKinds.secret(),
            LimitKinds.quota(),
            LimitKinds.budget(),
            WorkKinds.cluster(),
            WorkKinds.pool(),
            LimitKinds.price(),
            LimitKinds.tokenPrice(),
            WorkKinds.webhook(),
            WorkKinds.program(),
            WorkKinds.schedule(),
            WorkKinds.job(),
            WorkKinds.deployment(),
            WorkKinds.share());

    private ResourceKinds() {}

    /** Adds the command of each kind to a command line. */
    public static void addTo(CommandLine commandLine) {
        ALL.forEach(kind -> commandLine.addSubcommand(kind.command, ResourceCommand.of(kind)));
    }

    static List<String> names() {
        return ALL.stream().map(kind -> kind.name).toList();
    }

    static ResourceKind find(String name) {
        return ALL.stream().filter(kind -> kind.name.equals(name)).findFirst().orElseThrow();
    }

    private static ResourceKind organisation() {
        return ResourceKind.of(
                        "Organisation",
                        "organisations",
                        "The organisations of the installation; for an operator's key.")
                .named(Field.text("name", SLUG))
                .columns("name")
                .refuses(
                        "set",
                        "an organisation has nothing but its name; limit it by ./outpost quotas set and ./outpost budgets"
                                + " set with --organisation")
                .lists((client, scope) -> new TenantApi(client)
                        .organisations().stream()
                                .map(name -> Map.of("name", name))
                                .toList())
                .puts((client, wanted, present) -> new TenantApi(client).makeOrganisation(wanted.name()))
                .removes((client, present) -> new TenantApi(client).removeOrganisation(present.name()))
                .prunes((client, present) -> false);
    }

    private static ResourceKind member() {
        return ResourceKind.of(
                        "Member", "members", "The people of the organisation and of its projects, and their roles.")
                .named(Field.text("subject", "The issuer's name of the person, such as ada@example.org."))
                .within(Field.text(PROJECT, "In which project; in the whole organisation unless given."))
                .field(MemberRequest.class, "role", "What the person's keys may: read, also run machines, or all.")
                .columns("subject", PROJECT, "role", "created")
                .lists((client, scope) -> new TenantApi(client).members())
                .puts((client, wanted, present) -> new TenantApi(client)
                        .putMember(wanted.name(), wanted.part(PROJECT), wanted.as(MemberRequest.class)))
                .removes((client, present) -> new TenantApi(client).removeMember(present.name(), present.part(PROJECT)))
                // An issuer's groups make the memberships with an end. The membership of the caller must stay.
                .prunes((client, present) ->
                        !present.view().hasNonNull("expires") && !isCaller(client, present.name()));
    }

    private static ResourceKind project() {
        return ResourceKind.of(
                        "Project",
                        "projects",
                        "The projects of the organisation, which ask for machines and pay for them.")
                .named(Field.text("name", SLUG))
                .field(
                        ProjectRequest.class,
                        "priority",
                        "Its place in the queue, higher ones go first; 0 unless given.")
                .field(ProjectRequest.class, "archived", "It takes no new machines.")
                .columns("name", "priority", "archived", "created")
                .viewed(view -> view.set("archived", BooleanNode.valueOf(view.hasNonNull("archived"))))
                .lists((client, scope) -> new TenantApi(client).projects())
                .puts((client, wanted, present) ->
                        new TenantApi(client).putProject(wanted.name(), wanted.as(ProjectRequest.class)))
                .removes((client, present) -> new TenantApi(client).removeProject(present.name()))
                .prunes((client, present) -> !present.name().equals(FIRST));
    }

    private static ResourceKind key() {
        return ResourceKind.of(
                        "Key",
                        "keys",
                        "The keys of the organisation and of its projects. The text of one is shown once.")
                .named(Field.text("name", "What it is for, such as ci; or the id of one."))
                .within(Field.text(PROJECT, "Which project it is for; the whole organisation unless given."))
                .distinguishedBy(Field.text("id", "Which of several of one name."))
                .field(KeyRequest.class, "member", "The member who owns it; the member's role bounds what it may.")
                .field(KeyRequest.class, "scopes", "What it may, separated by commas.")
                .field(KeyRequest.class, "expires", "When it ends, such as 2027-01-31T00:00:00Z; never unless given.")
                .columns("id", "name", "project", "member", "scopes", "expires", "revoked")
                .lists((client, scope) -> new TenantApi(client).keys())
                .managed((view, scope) -> !view.hasNonNull("revoked")
                        && !view.hasNonNull("replacedBy")
                        && !(view.hasNonNull("expires")
                                && Instant.parse(view.path("expires").asText()).isBefore(Instant.now())))
                .puts((client, wanted, present) -> present.isPresent()
                        ? new TenantApi(client).putKey(present.get().part("id"), wanted.as(KeyRequest.class))
                        : new TenantApi(client).makeKey(wanted.as(KeyRequest.class)))
                .removes((client, present) -> new TenantApi(client).revokeKey(present.part("id")))
                .subcommand("rotate", KeyRotateCommand::new)
                // A login makes its own keys. The key of the caller must stay.
                .prunes((client, present) -> !isOwn(client, present)
                        && !present.view()
                                .path("createdBy")
                                .equals(present.view().path("member")));
    }

    private static boolean isCaller(BackendClient client, String subject) {
        return new TenantApi(client)
                .keys().stream()
                        .filter(key -> client.access().key().startsWith("op_" + key.id() + "_"))
                        .anyMatch(key -> subject.equals(key.member()));
    }

    private static boolean isOwn(BackendClient client, Resource key) {
        return client.access().key().startsWith("op_" + key.part("id") + "_");
    }
}
