package dev.outpost.backend.api.job;

import dev.outpost.backend.api.ApiResource;
import dev.outpost.backend.api.Bounds;
import dev.outpost.backend.api.Inputs;
import dev.outpost.backend.api.Problem;
import dev.outpost.backend.api.RequiresScope;
import dev.outpost.backend.store.job.ContentRows;
import dev.outpost.backend.store.job.FileRows;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.rest.job.FileView;
import dev.outpost.rest.tenant.KeyScope;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import org.eclipse.microprofile.openapi.annotations.Operation;
import org.eclipse.microprofile.openapi.annotations.tags.Tag;

/** The programs of jobs, by their hash. Clients send them in parts, and can resume an interrupted upload. */
@Path("/v1/files/{sha256: [^/:]+}")
@Produces(MediaType.APPLICATION_JSON)
@RunOnVirtualThread
@Tag(name = "jobs")
public class FilesResource extends ApiResource {
    private final StoredBytes stored;

    FilesResource(StoredBytes stored) {
        this.stored = stored;
    }

    private static FileView view(Sql sql, FileRows.Stored file) {
        return new FileView(file.sha256(), file.size(), ContentRows.size(sql, file.content()), file.isComplete());
    }

    @GET
    @RequiresScope(KeyScope.READ)
    @Operation(summary = "How much of a program is there")
    public FileView get(@PathParam("sha256") String sha256) {
        String hash = Inputs.programHash(sha256);
        return transact(sql -> view(
                sql,
                FileRows.find(sql, caller.organisation(), hash).orElseThrow(() -> Problem.notFound("file", hash))));
    }

    @PUT
    @Consumes(MediaType.APPLICATION_OCTET_STREAM)
    @RequiresScope(KeyScope.MACHINES)
    @Operation(
            summary = "Adds a part of up to 200 KiB to a program; the answer says where the next one begins",
            description = "The last part completes it where the whole has that SHA-256, and removes it otherwise.")
    public FileView put(
            @PathParam("sha256") String sha256,
            @QueryParam("from") @DefaultValue("0") long from,
            @QueryParam("size") @DefaultValue("0") long size,
            byte[] part) {
        String hash = Inputs.programHash(sha256);
        if (size < 1 || size > Bounds.FILE_BYTES || from < 0 || part == null || part.length > Bounds.FILE_PART_BYTES) {
            throw Problem.invalid("size, from: expected a program of 1 byte to " + Bounds.FILE_BYTES
                    + " bytes in parts of up to " + Bounds.FILE_PART_BYTES + ", got " + size + " and " + from);
        }
        FileView view = transact(sql -> append(sql, hash, size, from, part));
        if (view.complete() || view.next() < view.size()) {
            return view;
        }
        throw Problem.invalid("sha256: what was sent has not the hash " + hash + "; it was removed, send it again");
    }

    private FileView append(Sql sql, String hash, long size, long from, byte[] part) {
        String organisation = caller.organisation();
        if (FileRows.find(sql, organisation, hash).isEmpty()) {
            stored.require(sql, organisation, size);
        }
        FileRows.Stored file = FileRows.make(sql, organisation, hash, size);
        if (file.isComplete()) {
            return view(sql, file);
        }
        stored.require(sql, organisation, part.length);
        if (file.size() != size || from + part.length > size) {
            throw Problem.invalid("size: the program has " + file.size() + " bytes, got " + size
                    + " and a part that ends at " + (from + part.length));
        }
        long next = ContentRows.append(sql, file.content(), from, part);
        boolean isComplete = next == size && FileRows.hash(sql, file).equals(hash);
        if (isComplete) {
            FileRows.complete(sql, organisation, hash);
        } else if (next == size) {
            FileRows.remove(sql, organisation, file);
        }
        return new FileView(hash, size, next, isComplete);
    }
}
