package dev.outpost.backend.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.support.tests.Await;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PostgresServerTest {
    /** One cluster for all tests, because making one takes seconds. */
    @TempDir
    static Path folder;

    private static Path data;

    @BeforeAll
    static void open() throws IOException {
        // The server's user needs access, as it has to a system folder.
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        data = folder.resolve("data");
    }

    private static String ask(PostgresServer server, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement made = connection.createStatement();
                ResultSet result = made.executeQuery(statement)) {
            result.next();
            return result.getString(1);
        }
    }

    private static void execute(PostgresServer server, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.url(), server.user(), server.password());
                Statement made = connection.createStatement()) {
            made.execute(statement);
        }
    }

    /** Makes only these programs available, as if the others were not installed. */
    private Tools only(String... programs) throws IOException {
        Path tools = Files.createTempDirectory(folder, "tools");
        for (String program : programs) {
            Files.createSymbolicLink(
                    tools.resolve(program), Tools.ofPath().find(program).orElseThrow());
        }
        return new Tools(List.of(tools));
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    @Test
    void serverWritesDurablyAndKeepsItsData() throws IOException, SQLException {
        try (PostgresServer server = PostgresServer.start(data, Tools.ofPath())) {
            assertEquals("on", ask(server, "SHOW synchronous_commit"));
            assertEquals("on", ask(server, "SHOW fsync"));
            assertEquals("127.0.0.1", ask(server, "SHOW listen_addresses"));
            execute(server, "CREATE TABLE kept AS SELECT 42 AS answer");
        }
        try (PostgresServer server = PostgresServer.start(data, Tools.ofPath())) {
            assertEquals("42", ask(server, "SELECT answer FROM kept"));
        }
    }

    @Test
    void serverWantsAPassword() throws IOException {
        try (PostgresServer server = PostgresServer.start(data, Tools.ofPath())) {
            assertThrows(SQLException.class, () -> DriverManager.getConnection(server.url(), server.user(), "guessed"));
        }
    }

    @Test
    void folderIsUsedByOneBackendAtATime() throws IOException {
        try (PostgresServer server = PostgresServer.start(data, Tools.ofPath())) {
            IOException refused = assertThrows(IOException.class, () -> PostgresServer.start(data, Tools.ofPath()));
            assertTrue(refused.getMessage().contains("another backend keeps its data in"), refused::getMessage);
            assertTrue(server.url().startsWith("jdbc:postgresql://127.0.0.1:"), server::url);
        }
    }

    /** After a crash of the host, the process id in the file may belong to another program. */
    @Test
    void stalePidFileIsIgnored() throws IOException, SQLException {
        PostgresServer.start(data, Tools.ofPath()).close();
        Path file = data.resolve("database").resolve("postmaster.pid");
        Files.writeString(
                file, ProcessHandle.current().pid() + "\n" + data + "\n1700000000\n5432\n\n127.0.0.1\n0 0\nready\n");
        try (PostgresServer server = PostgresServer.start(data, Tools.ofPath())) {
            assertEquals("1", ask(server, "SELECT 1"));
        }
    }

    /** The available tool may change from one start to the next. */
    @Test
    void rootStartsTheServerByEachTool() throws IOException, SQLException {
        assumeTrue(isRoot(), "the tools are for root, and this is not root");
        for (String tool : List.of("setpriv", "runuser", "unshare")) {
            Tools tools = only(tool);
            try (PostgresServer server = PostgresServer.start(data, tools)) {
                assertEquals("1", ask(server, "SELECT 1"), tool);
            }
            Files.delete(tools.folders().getFirst().resolve(tool));
        }
    }

    @Test
    void rootWithoutAToolGetsARemedy() throws IOException {
        assumeTrue(isRoot(), "the tools are for root, and this is not root");
        IOException refused = assertThrows(IOException.class, () -> PostgresServer.start(data, only()));
        assertTrue(
                refused.getMessage().contains("neither setpriv nor runuser nor unshare is here"), refused::getMessage);
        assertTrue(refused.getMessage().contains("OUTPOST_BACKEND_DATABASE_URL"), refused::getMessage);
    }

    // ---- a PostgreSQL that is installed

    private static void assumeInstalled() throws IOException {
        assumeTrue(
                PostgresPrograms.installed(Tools.ofPath()).isPresent(),
                "no PostgreSQL is installed here: neither pg_ctl on the PATH nor one below /usr/lib/postgresql");
    }

    /** Only the installed programs, as on a processor for which the backend bundles none. */
    private static List<PostgresPrograms> installedOnly(Tools tools, Path data) throws IOException {
        return PostgresPrograms.installed(tools).stream().toList();
    }

    /** A folder like that of the other tests, but for the installed version. */
    private static Path dataOfInstalled() {
        return folder.resolve("installed");
    }

    @Test
    void installedServerIsStartedByEachToolWhereNoneIsEmbedded() throws IOException, SQLException {
        assumeInstalled();
        Path own = dataOfInstalled();
        List<Tools> ways = new ArrayList<>();
        if (isRoot()) {
            for (String tool : List.of("setpriv", "runuser", "unshare")) {
                ways.add(only(tool, "pg_ctl"));
            }
        } else {
            ways.add(Tools.ofPath());
        }
        for (Tools tools : ways) {
            try (PostgresServer server = PostgresServer.start(own, tools, PostgresServerTest::installedOnly)) {
                String major = Files.readString(own.resolve("database").resolve("PG_VERSION"))
                        .strip();
                assertEquals(major, ask(server, "SELECT split_part(current_setting('server_version'), '.', 1)"));
            }
        }
    }

    @Test
    void filesOfAnotherVersionAreRefusedNamingBothVersions() throws IOException, SQLException {
        assumeInstalled();
        PostgresServer.start(data, Tools.ofPath()).close();
        String major =
                Files.readString(data.resolve("database").resolve("PG_VERSION")).strip();
        Path installed =
                PostgresPrograms.installed(Tools.ofPath()).orElseThrow().folder();
        assumeTrue(
                !installed.toString().contains("/" + major + "/"), "the installed PostgreSQL is of that version too");
        IOException refused = assertThrows(
                IOException.class, () -> PostgresServer.start(data, Tools.ofPath(), PostgresServerTest::installedOnly));
        assertTrue(refused.getMessage().contains("are of version " + major + ", the program is"), refused::getMessage);
        try (PostgresServer server = PostgresServer.start(data, Tools.ofPath())) {
            assertEquals("1", ask(server, "SELECT 1"), "the files are as they were");
        }
    }

    @Test
    void missingServerIsRefusedWithARemedy() {
        IOException refused = assertThrows(
                IOException.class,
                () -> PostgresServer.start(folder.resolve("none"), Tools.ofPath(), (tools, where) -> List.of()));
        assertTrue(refused.getMessage().contains("none is installed"), refused::getMessage);
        assertTrue(refused.getMessage().contains("OUTPOST_BACKEND_DATABASE_URL"), refused::getMessage);
    }

    /** A tenant's program listens at the port of an ended server, and asks for the password in plain text or as MD5. */
    @ParameterizedTest
    @ValueSource(ints = {3, 5})
    void passwordIsShownToNoOtherServer(int method) throws Exception {
        List<String> shown = new CopyOnWriteArrayList<>();
        Thread listening;
        try (ServerSocket impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            listening = Thread.ofVirtual().start(() -> impersonate(impostor, method, shown));
            SQLException refused = assertThrows(
                    SQLException.class,
                    () -> DriverManager.getConnection(
                            PostgresServer.url(impostor.getLocalPort(), "outpost"), "outpost", "hunter2"));
            assertTrue(refused.getMessage().contains("requireAuth"), refused::getMessage);
        }
        Await.ended("the impostor has heard all", listening);
        assertEquals(List.of(), shown);
    }

    /** Accepts several connections, because the driver may connect more than once. */
    private static void impersonate(ServerSocket impostor, int method, List<String> shown) {
        while (!impostor.isClosed()) {
            try (Socket client = impostor.accept()) {
                impersonate(client, method, shown);
            } catch (IOException ignored) {
                // This is expected.
            }
        }
    }

    private static void impersonate(Socket client, int method, List<String> shown) throws IOException {
        DataInputStream in = new DataInputStream(client.getInputStream());
        DataOutputStream out = new DataOutputStream(client.getOutputStream());
        boolean asksForTls = in.readNBytes(in.readInt() - Integer.BYTES).length == Integer.BYTES;
        if (asksForTls) {
            out.writeByte('N');
            in.readNBytes(in.readInt() - Integer.BYTES);
        }
        byte[] salt = new byte[method == 5 ? 4 : 0];
        out.writeByte('R');
        out.writeInt(2 * Integer.BYTES + salt.length);
        out.writeInt(method);
        out.write(salt);
        out.flush();
        if (in.read() == 'p') {
            shown.add(new String(in.readNBytes(in.readInt() - Integer.BYTES), StandardCharsets.US_ASCII));
        }
    }
}
