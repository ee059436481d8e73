import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.FileReader;
import java.io.FileWriter;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A stand-in for C&C's parser: the same command line, files, exit codes and failures, but no grammar.
 *
 * Each word is the argument of the next one; the last pair comes first, since C&C's have no order. Certain words
 * make it misbehave: NOPARSE, CRASH, MEMORY (from the third sentence of a process on), MEMORY! (always), STARVED (the same, and all that was not yet written is
 * lost), HANG, KILLED, WRONGWORDS, SURPLUS, TRUNCATED (its answer ends in the middle, and with it the program),
 * GARBAGE (nonsense in the log, some of which looks like its lines), LAST (it and what follows are dropped
 * without a word). So do system properties: older (six positional arguments), silent (exit code 0 and nothing
 * else), nolog, slowstart, greedy (no memory for the model), hopeless (none for any sentence), gone (a file:
 * while it exists, no process comes to parse; the word GONE makes it), early (a file: for each x in it a process is killed while it
 * starts, for each e one ends at its first sentence), chaos (a file: each process meets its end in one of several ways, at random, and notes
 * there in which).
 */
public class Parser {
    private static final String[] OPTIONS = {
        "input", "output", "log", "weights", "grammarDir", "lexiconFile", "featuresFile", "maxWords",
        "maxSupercats", "betas", "from", "to"
    };

    public static void main(String[] args) throws Exception {
        Map<String, String> options = Boolean.getBoolean("older") ? positional(args) : named(args);
        if (options == null) {
            return;
        }
        if (Boolean.getBoolean("silent")) {
            return;
        }
        if (new File(System.getProperty("gone", "")).exists()) {
            throw new IllegalStateException("gone on purpose");
        }
        drawFate();
        PrintWriter log = Boolean.getBoolean("nolog") ? null : openLog(options.get("log"));
        try {
            Set<String> known = categories(options.get("grammarDir"));
            for (String file : new String[] {"lexiconFile", "featuresFile", "weights"}) {
                new FileReader(options.get(file)).close();
            }
            if (Boolean.getBoolean("slowstart")) {
                Thread.sleep(60000);
            }
            if (dies("x")) {
                kill();
            }
            if (fate.equals("killed while it starts")) {
                meet(fate);
                kill();
            }
            if (Boolean.getBoolean("greedy")) {
                throw new OutOfMemoryError("Java heap space");
            }
            parse(options, known, log);
        } catch (FileNotFoundException e) {
            say(log, e.toString());  // and exit code 0
        }
    }

    private static Map<String, String> named(String[] args) {
        Map<String, String> options = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            String name = args[i].replaceFirst("^--", "");
            if (name.equals("help")) {
                for (String option : OPTIONS) {
                    System.out.println("--" + option + " <String>");
                }
                return null;
            }
            if (!List.of(OPTIONS).contains(name)) {
                System.err.println(name + " is not a recognized option");
                return null;
            }
            if (options.put(name, args[i + 1]) != null) {
                throw new IllegalStateException("Found multiple arguments for option " + name);
            }
        }
        return options;
    }

    private static Map<String, String> positional(String[] args) {
        if (args.length < 6) {
            System.err.println("Parser requires 6 arguments: <inputFile> <outputFile> <logFile> ...");
            return null;
        }
        Map<String, String> options = new HashMap<>();
        options.put("input", args[0]);
        options.put("output", args[1]);
        options.put("log", args[2]);
        options.put("weights", args[3]);
        options.put("grammarDir", "grammar");
        options.put("lexiconFile", "words_feats/wsj02-21.wordsPos");
        options.put("featuresFile", "words_feats/wsj02-21.feats.1-22");
        options.put("betas", "0.0001,0.001,0.01,0.03,0.075");
        options.put("maxWords", "250");
        return options;
    }

    private static Set<String> categories(String folder) throws IOException {
        Set<String> known = new HashSet<>();
        try (BufferedReader in = new BufferedReader(new FileReader(folder + "/markedup"))) {
            readPreface(in);
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                checkSlots(line);
                if (!line.isEmpty() && "#= \t".indexOf(line.charAt(0)) < 0) {
                    known.add(line);
                }
            }
        }
        return known;
    }

    private static void checkSlots(String line) {
        int slot = 0;
        if (line.startsWith(" ") && line.chars().filter(c -> c == '(').count() != line.chars().filter(c -> c == ')').count()) {
            throw new Error("unbalanced parentheses in category string" + line);
        }
        for (int i = line.indexOf('{') < 0 ? -1 : line.indexOf('<'); i >= 0; i = line.indexOf('<', i + 1)) {
            if (line.charAt(i + 1) - '0' != ++slot) {
                throw new Error("slots are not increasing by 1! " + line);
            }
        }
    }

    private static void parse(Map<String, String> options, Set<String> known, PrintWriter log)
            throws Exception {
        String[] betas = options.get("betas").split(",");
        int maxWords = Integer.parseInt(options.get("maxWords"));
        try (BufferedReader in = new BufferedReader(new FileReader(options.get("input")));
                PrintWriter out = new PrintWriter(new BufferedWriter(new FileWriter(options.get("output"))))) {
            readPreface(in);
            out.println("# mandatory preface\n# mandatory preface\n");
            int number = 0;
            for (List<String[]> sentence = read(in, known); sentence != null; sentence = read(in, known)) {
                number++;
                say(log, "Parsing sentence " + number);
                sentence.get(0);  // fails on an empty sentence, as C&C does
                if (sentence.size() > maxWords) {
                    say(log, " Sentence has " + sentence.size() + " words; MAX_WORDS exceeded.");
                    out.println();
                    continue;
                }
                say(log, "Trying beta level 2 with beta value " + betas[2]);
                if (has(sentence, "GARBAGE")) {
                    say(log, GARBAGE);
                }
                misbehave(sentence, number, out);
                if (has(sentence, "LAST")) {
                    return;
                }
                if (has(sentence, "NOPARSE")) {
                    say(log, "Trying beta level 1 with beta value " + betas[1]);
                    say(log, "No root category.");
                } else {
                    write(sentence, out);
                }
                out.println();
                if (has(sentence, "SURPLUS")) {
                    out.println();
                }
            }
        }
    }

    private static List<String[]> read(BufferedReader in, Set<String> known) throws IOException {
        List<String[]> sentence = new ArrayList<>();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            if (line.isEmpty()) {
                return sentence;
            }
            String[] fields = line.split("\\s");
            int size = Integer.parseInt(fields[2]);
            double last = Double.POSITIVE_INFINITY;
            for (int i = 0; i < size; i++) {
                double p = Double.parseDouble(fields[2 * i + 4]);
                if (!known.contains(fields[2 * i + 3])) {
                    throw new IllegalArgumentException("No such supertag: " + fields[2 * i + 3]);
                }
                if (!(p > 0) || p > last) {
                    throw new Error("should always have a maxSuperCat!");
                }
                last = p;
            }
            fields[3].length();  // every word needs a tag
            sentence.add(fields);
        }
        return null;  // a sentence without its empty line is dropped
    }

    private static final String GARBAGE =
            "\u0000\ufffdParsing sentence\nParsing sentence 999999999999\nParsing sentence 400\nNo root category.\n"
                    + "Trying beta level x with beta value 0.0.1\nParsing sentence 1\n" + "x".repeat(20000);

    private static void misbehave(List<String[]> sentence, int number, PrintWriter out) throws Exception {
        if (dies("e")) {
            Runtime.getRuntime().halt(0);
        }
        if (has(sentence, "GONE") && System.getProperty("gone") != null) {
            Files.createFile(Path.of(System.getProperty("gone")));
            throw new IllegalStateException("the last one");
        }
        if (has(sentence, "CRASH")) {
            out.print("half_a_line_");
            throw new IllegalStateException("crashed on purpose");
        }
        if (Boolean.getBoolean("hopeless") || has(sentence, "MEMORY!") || has(sentence, "MEMORY") && number > 2) {
            throw new OutOfMemoryError("Java heap space");
        }
        if (has(sentence, "STARVED") || fate.equals("starved") && number == hour) {
            meet("starved");
            System.err.println("java.lang.OutOfMemoryError: Java heap space");
            Runtime.getRuntime().halt(1);
        }
        if (has(sentence, "TRUNCATED") || fate.equals("truncated") && number == hour) {
            meet("truncated");
            out.print(sentence.get(0)[0] + "_1 N{_} 1 " + sentence.get(0)[0].charAt(0));
            out.flush();
            Runtime.getRuntime().halt(0);
        }
        if (has(sentence, "HANG")) {
            Thread.sleep(Long.MAX_VALUE);
        }
        if (has(sentence, "KILLED") || fate.equals("killed") && number == hour) {
            meet("killed");
            kill();
        }
        if (fate.equals("crashed") && number == hour) {
            meet(fate);
            throw new IllegalStateException("crashed by chance");
        }
        if (fate.equals("ended") && number == hour) {
            meet(fate);
            out.flush();
            Runtime.getRuntime().halt(0);
        }
    }

    private static final String[] FATES = {
        "killed while it starts", "killed", "starved", "crashed", "ended", "truncated"
    };
    private static String fate = "";
    private static int hour;  // the sentence at which it is met; never the first, which would be to blame

    private static void drawFate() throws IOException {
        if (System.getProperty("chaos") != null) {
            Path file = Path.of(System.getProperty("chaos"));
            Random random = new Random(Files.readAllLines(file).size());
            fate = FATES[random.nextInt(FATES.length)];
            hour = 2 + random.nextInt(12);
        }
    }

    private static void meet(String end) throws IOException {
        if (System.getProperty("chaos") != null) {
            Files.writeString(Path.of(System.getProperty("chaos")), end + "\n", StandardOpenOption.APPEND);
        }
    }

    private static boolean dies(String how) throws IOException {
        Path left = Path.of(System.getProperty("early", ""));
        boolean now = Files.isRegularFile(left) && Files.readString(left).startsWith(how);
        if (now) {
            Files.writeString(left, Files.readString(left).substring(1));
        }
        return now;
    }

    private static void kill() throws Exception {
        Runtime.getRuntime().exec(new String[] {"kill", "-9", "" + ProcessHandle.current().pid()});
        Thread.sleep(60000);
    }

    private static void write(List<String[]> sentence, PrintWriter out) {
        for (int i = sentence.size() - 1; i > 0 && !has(sentence, "WRONGWORDS"); i--) {
            String[] head = sentence.get(i);
            String mark = head[3].equals("N/N") ? "(N{Y}/N{Y}<1>){_}" : head[3] + "{_}";
            out.println(head[0] + "_" + (i + 1) + " " + mark + " 1 " + sentence.get(i - 1)[0] + "_" + i + " 0");
        }
        StringBuilder line = new StringBuilder("<c>");
        for (String[] token : sentence) {
            String word = has(sentence, "WRONGWORDS") ? "other" : token[0];
            line.append(' ').append(word).append('|').append(token[1]).append('|').append(token[3]);
        }
        out.println(line);
    }

    private static boolean has(List<String[]> sentence, String word) {
        return sentence.stream().anyMatch(token -> token[0].equals(word));
    }

    private static void readPreface(BufferedReader in) throws IOException {
        String line = in.readLine();
        if (line == null || line.charAt(0) != '#') {
            throw new IllegalArgumentException("File does not start with the mandatory preface.");
        }
        while (!line.isEmpty()) {
            if (line.charAt(0) != '#') {
                throw new IllegalArgumentException("Uncommented line within preface.");
            }
            line = in.readLine();
        }
    }

    private static PrintWriter openLog(String path) throws IOException {
        new File(path).getAbsoluteFile().getParentFile().mkdirs();
        return new PrintWriter(new FileWriter(path), true);
    }

    private static void say(PrintWriter log, String line) {
        if (log == null) {
            System.out.println(line.contains("Exception") ? line : "");
        } else {
            log.println(line);
        }
    }
}
