package dev.outpost.system.backend.dashboard;

import com.deque.html.axecore.playwright.AxeBuilder;
import com.deque.html.axecore.results.AxeResults;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.Playwright;
import com.microsoft.playwright.PlaywrightException;
import com.microsoft.playwright.options.ColorScheme;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** A page in an installed Chromium without a window, which Playwright drives. */
final class Chromium implements AutoCloseable {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> NAMES = List.of("chromium", "chromium-browser", "google-chrome");
    private static final List<String> ARGUMENTS = List.of(
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Playwright playwright;
    private final Page page;
    private final List<String> errors = new ArrayList<>();

    private Chromium(Playwright playwright, Page page) {
        this.playwright = playwright;
        this.page = page;
        page.onConsoleMessage(message -> {
            if (List.of("error", "warning").contains(message.type())) {
                errors.add(message.text() + " at " + message.location());
            }
        });
        page.onPageError(errors::add);
    }

    /** The path of an installed Chromium; empty if there is none. */
    static Optional<Path> installed() {
        return Stream.of(System.getenv("PATH").split(":"))
                .flatMap(folder -> NAMES.stream().map(name -> Path.of(folder, name)))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** Opens a page with the given size in pixels. */
    static Chromium open(Path program, String url, int width, int height) {
        Playwright playwright = Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
        try {
            Browser browser = playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(program)
                            .setArgs(ARGUMENTS));
            Page page = browser.newPage(new Browser.NewPageOptions().setViewportSize(width, height));
            Chromium chromium = new Chromium(playwright, page);
            page.navigate(url);
            return chromium;
        } catch (RuntimeException | Error failure) {
            playwright.close();
            throw failure;
        }
    }

    Page page() {
        return page;
    }

    /** The errors and warnings of the browser's console. */
    List<String> errors() {
        return errors;
    }

    /** The rules of accessibility that the shown page violates, with the first element of each. */
    List<String> violations() {
        AxeResults results = new AxeBuilder(page).analyze();
        return results.getViolations().stream()
                .map(rule -> rule.getId() + ": " + rule.getHelp() + ", "
                        + rule.getNodes().getFirst().getHtml())
                .toList();
    }

    /** Returns the value of a JavaScript expression, and waits for it if it is a promise. */
    JsonNode evaluate(String expression) {
        return MAPPER.valueToTree(page.evaluate(expression));
    }

    /** Returns true if a JavaScript condition is true; it counts as false while a page is replaced by another one. */
    boolean holds(String condition) {
        try {
            return evaluate(condition).asBoolean();
        } catch (PlaywrightException failure) {
            if (failure.getMessage().contains("context") || failure.getMessage().contains("navigat")) {
                return false;
            }
            throw failure;
        }
    }

    /** Shows the page on a screen of the given size, in the dark or the light theme. */
    void emulate(int width, int height, boolean isDark) {
        page.setViewportSize(width, height);
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(isDark ? ColorScheme.DARK : ColorScheme.LIGHT));
    }

    /** Presses and releases a key, as {@code KeyboardEvent.key} names it: {@code Tab}, {@code Enter}, {@code Escape}. */
    void press(String key) {
        page.keyboard().press(key);
    }

    /** Types a text into the focused element. */
    void type(String text) {
        page.keyboard().insertText(text);
    }

    /** Saves a picture of the page. */
    void screenshot(Path file) {
        page.screenshot(new Page.ScreenshotOptions().setPath(file));
    }

    @Override
    public void close() {
        playwright.close();
    }
}
