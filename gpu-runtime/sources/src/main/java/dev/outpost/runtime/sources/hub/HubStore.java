package dev.outpost.runtime.sources.hub;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.outpost.protocol.files.Placeholders;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.runtime.source.Store;
import dev.outpost.runtime.source.StoreFile;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads repositories of a hub. Opens files of the commit to which the revision pointed when its files were listed.
 */
final class HubStore implements Store {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final Pattern NEXT = Pattern.compile("<([^>]*)>;\\s*rel=\"next\"");
    private static final int MAX_PAGES = 100;
    private static final int MAX_OF_A_PAGE = 16 << 20;

    private final HubClient client;
    private final Optional<BlobCache> cache;
    /** The commit of each listed URI. */
    private final ConcurrentHashMap<String, String> commits = new ConcurrentHashMap<>();

    HubStore(HubClient client, Optional<BlobCache> cache) {
        this.client = client;
        this.cache = cache;
    }

    @Override
    public List<StoreFile> list(String uri) throws IOException {
        HubRepository repository = HubRepository.of(uri);
        String what = "open: " + uri;
        String revision = "/api/models/" + repository.name() + "/revision/" + encoded(repository.revision());
        String commit = json(what, client.get(what, client.at(revision), null, MAX_OF_A_PAGE))
                .path("sha")
                .asText();
        if (!commit.matches("[0-9a-f]{40}")) {
            throw new IOException(what + ": the hub names no commit");
        }
        List<StoreFile> files = new ArrayList<>();
        URI page = client.at("/api/models/" + repository.name() + "/tree/" + commit + "?recursive=true");
        for (int pages = 0; page != null && pages < MAX_PAGES; pages++) {
            HttpResponse<byte[]> answer = client.get(what, page, null, MAX_OF_A_PAGE);
            json(what, answer).forEach(entry -> add(entry, files));
            page = next(page, answer);
        }
        commits.put(uri, commit);
        return files;
    }

    /** Adds a file from a listing. {@link StoreFile} refuses a path that leads outside of the repository. */
    private static void add(JsonNode entry, List<StoreFile> files) {
        if (entry.path("type").asText().equals("file")) {
            JsonNode large = entry.path("lfs");
            String version = large.path("oid").asText(entry.path("oid").asText());
            long bytes = large.path("size").asLong(entry.path("size").asLong());
            files.add(new StoreFile(entry.path("path").asText(), bytes, version));
        }
    }

    private static JsonNode json(String what, HttpResponse<byte[]> answer) throws IOException {
        Optional<String> placeholder = Placeholders.description(answer.body());
        if (placeholder.isPresent()) {
            throw new IOException(what + ": the answer of the hub " + placeholder.get());
        }
        try {
            return MAPPER.readTree(answer.body());
        } catch (IOException ignored) {
            throw new IOException(what + ": the hub's answer is not JSON");
        }
    }

    private URI next(URI page, HttpResponse<byte[]> answer) throws IOException {
        Matcher link = NEXT.matcher(answer.headers().firstValue("Link").orElse(""));
        if (!link.find()) {
            return null;
        }
        URI next = page.resolve(link.group(1));
        // Only the path is used, so the next page comes from the same host.
        return client.at(next.getRawPath() + (next.getRawQuery() == null ? "" : "?" + next.getRawQuery()));
    }

    @Override
    public ReadableBytes open(String uri, StoreFile file) throws IOException {
        HubRepository repository = HubRepository.of(uri);
        String commit = commits.get(uri);
        if (commit == null) {
            throw new IOException("open: " + uri + " was not listed");
        }
        String path =
                Arrays.stream(file.path().split("/")).map(HubStore::encoded).collect(Collectors.joining("/"));
        URI place = client.at("/" + repository.name() + "/resolve/" + commit + "/" + path);
        HubBytes origin = new HubBytes(client, place, uri + "/" + file.path(), file.bytes());
        return cache.isPresent() && BlobCache.isDigest(file.version())
                ? cache.get().open(file.version(), origin)
                : origin;
    }

    private static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public void close() {
        cache.ifPresent(BlobCache::close);
        client.close();
    }
}
