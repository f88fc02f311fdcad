package dev.outpost.rest.client;

import dev.outpost.rest.tenant.ActView;
import dev.outpost.rest.tenant.KeyRequest;
import dev.outpost.rest.tenant.KeyView;
import dev.outpost.rest.tenant.MemberRequest;
import dev.outpost.rest.tenant.MemberView;
import dev.outpost.rest.tenant.OrganisationMade;
import dev.outpost.rest.tenant.OrganisationRequest;
import dev.outpost.rest.tenant.ProjectRequest;
import dev.outpost.rest.tenant.ProjectView;
import dev.outpost.rest.tenant.Rotation;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls about organisations, projects, members and keys. */
public record TenantApi(BackendClient client) {
    private static final String ORGANISATIONS = "/v1/organisations";
    private static final String PROJECTS = "/v1/projects";
    private static final String MEMBERS = "/v1/members";
    private static final String KEYS = "/v1/keys";

    /** The items of a page of a list, at the most. */
    private static final int PAGE = 500;

    public List<String> organisations() {
        return client.all(new Query(ORGANISATIONS), String.class);
    }

    public OrganisationMade makeOrganisation(String name) {
        return client.post(ORGANISATIONS, new OrganisationRequest(name), OrganisationMade.class);
    }

    public void removeOrganisation(String name) {
        client.delete(Query.path(ORGANISATIONS, name));
    }

    public List<ProjectView> projects() {
        return client.all(new Query(PROJECTS), ProjectView.class);
    }

    public ProjectView putProject(String name, ProjectRequest request) {
        return client.put(Query.path(PROJECTS, name), request, ProjectView.class);
    }

    public void removeProject(String name) {
        client.delete(Query.path(PROJECTS, name));
    }

    public List<MemberView> members() {
        return client.all(new Query(MEMBERS), MemberView.class);
    }

    /** @param project null for a member of the whole organisation */
    public MemberView putMember(String subject, @Nullable String project, MemberRequest request) {
        return client.put(Query.path(MEMBERS, subject).with("project", project), request, MemberView.class);
    }

    /** @param project null for a member of the whole organisation */
    public void removeMember(String subject, @Nullable String project) {
        client.delete(Query.path(MEMBERS, subject).with("project", project));
    }

    /** Returns the latest administrative acts of the organisation, the newest first. */
    public List<ActView> audit(int count) {
        return client.first(new Query("/v1/audit").with("limit", Math.min(count, PAGE)), ActView.class, count);
    }

    /** Returns all keys, also those that were revoked or have expired. */
    public List<KeyView> keys() {
        return client.all(new Query(KEYS), KeyView.class);
    }

    /** Makes a key. Only this answer has its text. */
    public KeyView makeKey(KeyRequest request) {
        return client.post(KEYS, request, KeyView.class);
    }

    public KeyView putKey(String id, KeyRequest request) {
        return client.put(Query.path(KEYS, id), request, KeyView.class);
    }

    /** Makes a key in place of another one. Only this answer has its text. */
    public KeyView rotateKey(String id, Rotation rotation) {
        return client.post(Query.path(KEYS, id) + ":rotate", rotation, KeyView.class);
    }

    public void revokeKey(String id) {
        client.delete(Query.path(KEYS, id));
    }
}
