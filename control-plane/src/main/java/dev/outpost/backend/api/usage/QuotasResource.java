package dev.outpost.backend.api.usage;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.PageRequest;
import dev.outpost.backend.api.Preconditions;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.api.ResourceNames;
import dev.outpost.backend.fleet.loop.Wakeups;
import dev.outpost.backend.model.usage.QuotaLimit;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.QuotaRows;
import dev.outpost.provider.GpuCatalogue;
import dev.outpost.rest.Page;
import dev.outpost.rest.tenant.KeyScope;
import dev.outpost.rest.usage.QuotaRequest;
import dev.outpost.rest.usage.QuotaResource;
import dev.outpost.rest.usage.QuotaScope;
import dev.outpost.rest.usage.QuotaView;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The limits of resources that the organisation and its projects may have at a time, or in a month. */
@Path("/v1/quotas")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "quotas")
public class QuotasResource extends ApiResource {
    private final GpuCatalogue catalogue;
    private final Wakeups wakeups;

    QuotasResource(GpuCatalogue catalogue, Wakeups wakeups) {
        this.catalogue = catalogue;
        this.wakeups = wakeups;
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "Quotas, what is used of them and what is left, those of the organisation first")
    public Page<QuotaView> list(@BeanParam PageRequest request) {
        QuotaRows.Key after = position(request).orElse(QuotaRows.Key.FIRST);
        return transact(sql -> {
            Instant now = sql.now();
            List<QuotaRows.Stored> rows =
                    QuotaRows.page(sql, caller.organisation(), caller.project(), after, request.rows());
            return request.of(rows, stored -> view(sql, caller.organisation(), stored, now), QuotasResource::position);
        });
    }

    private static String position(QuotaRows.Stored stored) {
        QuotaRows.Key key = stored.key();
        return String.join(" ", key.project(), key.resource(), key.gpu());
    }

    private static Optional<QuotaRows.Key> position(PageRequest request) {
        return request.position(3, parts -> new QuotaRows.Key(parts[0], parts[1], parts[2]));
    }

    static QuotaView view(Sql sql, String organisation, QuotaRows.Stored stored, Instant now) {
        QuotaLimit limit = stored.limit();
        long used = QuotaRows.used(sql, organisation, stored.project(), limit, now);
        return new QuotaView(
                limit.name(),
                stored.project().orElse(null),
                limit.resource(),
                limit.gpu().orElse(null),
                limit.allowed(),
                used,
                Math.max(0, limit.allowed() - used),
                stored.version());
    }

    @PUT
    @RequiresScope(KeyScope.ADMIN)
    @Operation(summary = "Sets a quota; If-Match says which version is changed, If-None-Match: * that there is none")
    public Response put(QuotaRequest request, @BeanParam Preconditions match) {
        QuotaRequest body = Inputs.required(request);
        Optional<String> project = caller.projectFilter(Optional.ofNullable(body.project()));
        QuotaLimit limit = limit(body, scope(project), catalogue);
        return set(caller.organisation(), project, limit, target(limit, project), match);
    }

    /** Sets a quota of an organisation, or of one of its projects. */
    Response set(String organisation, Optional<String> project, QuotaLimit limit, String target, Preconditions match) {
        QuotaView view = act("quota.set", target, "allowed " + limit.allowed(), sql -> {
            requireOrganisation(sql, organisation);
            requireProject(sql, project);
            requireWritten(QuotaRows.set(sql, organisation, project, limit, match.version()), "quota", limit.name());
            return view(
                    sql,
                    organisation,
                    QuotaRows.find(sql, organisation, QuotaRows.Key.of(limit, project))
                            .orElseThrow(),
                    sql.now());
        });
        wakeups.admission();
        return tagged(Response.ok(), view, view.version());
    }

    private static QuotaScope scope(Optional<String> project) {
        return project.isPresent() ? QuotaScope.PROJECT : QuotaScope.ORGANISATION;
    }

    static QuotaLimit limit(QuotaRequest body, QuotaScope scope, GpuCatalogue catalogue) {
        if (body.resource() == null) {
            throw Problem.invalid(
                    "resource: expected GPUS, MACHINES, GPU_HOURS_PER_MONTH, TOKENS_PER_MONTH or STORED_BYTES, got nothing");
        }
        if (body.allowed() == null || body.allowed() < 0) {
            throw Problem.invalid("allowed: expected 0 or more, got " + body.allowed());
        }
        if (!body.resource().isOfMachines() && body.gpu() != null) {
            throw Problem.invalid("gpu: tokens and bytes are counted for all kinds together, got " + body.gpu());
        }
        if (body.resource() == QuotaResource.STORED_BYTES && scope == QuotaScope.PROJECT) {
            throw Problem.invalid("project: stored bytes are counted for the whole organisation, leave it out");
        }
        return new QuotaLimit(
                scope,
                body.resource(),
                Optional.ofNullable(body.gpu())
                        .map(known -> catalogue.find(known).name()),
                body.allowed());
    }

    @DELETE
    @Consumes(MediaType.WILDCARD)
    @RequiresScope(KeyScope.ADMIN)
    @Operation(
            summary = "Removes a quota: there is no such limit then",
            description = "If-Match says which version is removed.")
    public Response remove(
            @QueryParam("project") Optional<String> project,
            @QueryParam("resource") QuotaResource resource,
            @QueryParam("gpu") Optional<String> gpu,
            @BeanParam Preconditions match) {
        project.ifPresent(name -> ResourceNames.slug("project", name));
        Optional<String> where = caller.projectFilter(project);
        QuotaLimit limit = limit(new QuotaRequest(null, resource, gpu.orElse(null), 0L), scope(where), catalogue);
        return remove(caller.organisation(), where, limit, target(limit, where), match);
    }

    /** Removes a quota of an organisation, or of one of its projects. */
    Response remove(
            String organisation, Optional<String> project, QuotaLimit limit, String target, Preconditions match) {
        Response response = remove(
                "quota.remove",
                target,
                "",
                sql -> requireRemoved(
                        QuotaRows.remove(sql, organisation, project, limit, match.version()),
                        () -> QuotaRows.find(sql, organisation, QuotaRows.Key.of(limit, project))
                                .isPresent(),
                        "quota",
                        limit.name()));
        wakeups.admission();
        return response;
    }

    private static String target(QuotaLimit limit, Optional<String> project) {
        return limit.name() + project.map(name -> " of " + name).orElse("");
    }
}
