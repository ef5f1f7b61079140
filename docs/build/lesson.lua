-- lesson.lua - the pandoc filter that turns a lesson.md into its page.
--
-- Everything a page shows of the project's files comes from the files, at build time:
--   ```{.cuda include="FILE" region="NAME"}   a marked region of a source file ("// [NAME]" ... "// [/NAME]")
--   ```{.report mutant="NAME"}                what the tool said of that mutant (run by the build), and its picture
--   ```{.gpu-table}                           the measured table lessons/NN-name/gpu.csv
--   ```{.cost-table}                          the budget of lesson.yaml: what the largest case may cost, and what it has to use
--   ::: {.hints}                              the hints of lesson.yaml, folded one by one
--   ::: {.fold title="..."}                   a folded part
-- Anything missing ends the build with file and reason.

local lesson = os.getenv("LESSON") or error("lesson.lua: LESSON is not set")
local site_data = os.getenv("SITE_DATA") or error("lesson.lua: SITE_DATA is not set")

local function fail(...)
    io.stderr:write("lessons/" .. lesson .. "/lesson.md: " .. string.format(...) .. "\n")
    os.exit(1)
end

local report = dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "report.lua" }))
local chart = dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "chart.lua" }))
local prose = dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "prose.lua" }))
local picture = dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "picture.lua" }))
local source = dofile(pandoc.path.join({ pandoc.path.directory(PANDOC_SCRIPT_FILE), "source.lua" }))

local function read_lines(path) return report.read_lines(path) or fail("cannot read %s", path) end

local function included_code(block)
    local path = block.attributes.include
    local text = source.region(read_lines(path), block.attributes.region) or fail("%s has no region [%s]", path, block.attributes.region)
    local caption = pandoc.RawBlock("html", '<p class="source-name">' .. path .. "</p>")
    return { caption, pandoc.CodeBlock(text, pandoc.Attr("", { "cuda" })) }
end

local function mutant_report(block)
    local path = string.format("%s/%s/%s.txt", site_data, lesson, block.attributes.mutant)
    local lines = read_lines(path)
    if #lines == 0 then fail("%s is empty", path) end
    local html = report.html(lines, "What the tool says")
    local file = io.open(string.format("%s/%s/%s.html", site_data, lesson, block.attributes.mutant))
    if not file then return pandoc.RawBlock("html", html) end
    local page = file:read("a")
    file:close()
    local address = string.format("%s/pictures/%s.html", lesson, block.attributes.mutant)
    return { pandoc.RawBlock("html", html), pandoc.RawBlock("html", picture.html(page, address, report.escape)) }
end

local function split_csv(line)
    local cells = {}
    for cell in (line .. ","):gmatch("([^,]*),") do cells[#cells + 1] = cell end
    return cells
end

local function fold(title, blocks)
    local parts = pandoc.List({ pandoc.RawBlock("html", "<details>"), pandoc.RawBlock("html", "<summary>" .. title .. "</summary>") })
    parts:extend(blocks)
    parts:insert(pandoc.RawBlock("html", "</details>"))
    return parts
end

-- More rows than a reader compares at a glance are a chart, with the table folded below it.
local GLANCE = 12

local function measured(path)
    local rows, note = {}, nil
    for _, line in ipairs(read_lines(path)) do
        if line:match("^#") then note = line:gsub("^#%s*", "") elseif line ~= "" then rows[#rows + 1] = split_csv(line) end
    end
    for i, cell in ipairs(rows[1]) do rows[1][i] = cell:gsub("%(us%)", "(µs)") end
    local blocks = pandoc.List(pandoc.read(chart.markdown(rows), "markdown").blocks)
    if #rows - 1 > GLANCE then
        blocks = fold("The numbers of the chart", blocks)
        blocks:insert(1, pandoc.RawBlock("html", chart.figure(rows)))
    end
    if note then blocks:insert(pandoc.Para(pandoc.Emph(pandoc.Str(note)))) end
    return blocks
end

-- The course's own measurements; then those of whoever makes these pages and has a card, or how to get them.
local function gpu_table()
    local blocks = measured("lessons/" .. lesson .. "/gpu.csv")
    local own = io.open("work/cards/" .. lesson .. ".csv")
    if own then
        own:close()
        blocks:insert(pandoc.Para(pandoc.Str("The same on the card of the machine that these pages were made on:")))
        blocks:extend(measured("work/cards/" .. lesson .. ".csv"))
    else
        local command = "make time LESSON=" .. lesson:sub(1, 2)
        blocks:insert(pandoc.Para({ pandoc.Str("On a card of your own, "), pandoc.Code(command),
            pandoc.Str(" measures this for your file, and the next "), pandoc.Code("make notes"), pandoc.Str(" puts it here.") }))
    end
    return blocks
end

-- The names that learners read are those of the check's own reports.
local function budget_titles()
    local titles = {}
    for _, line in ipairs(read_lines("autograder/budget.def")) do
        local name, title = line:match('^[A-Z]+%(([a-z_]+),.*"([^"]+)",$') -- what a finding says follows on the next line
        if name then titles[name] = title end
    end
    return titles
end

-- Read as text: what is an expression in lesson.yaml must not become emphasis.
local function budget_lines()
    local lines = {}
    for _, line in ipairs(read_lines("lessons/" .. lesson .. "/lesson.yaml")) do
        local what = line:match("^  %- what: ([a-z_]+)$")
        if what then lines[#lines + 1] = { what = what, points = "0" } end
        local key, value = line:match("^    ([a-z_]+): \"?([^\"]*)\"?$")
        if key and #lines > 0 then lines[#lines][key] = value end
    end
    return lines
end

-- What `must_use` of lesson.yaml names, in the words of uses.def.
local function means_asked_for()
    local words, asked = {}, {}
    for _, line in ipairs(read_lines("autograder/uses.def")) do
        local name, means = line:match('^USE%("([a-z]+)", "([^"]+)",')
        if name then words[name] = means end
    end
    for _, line in ipairs(read_lines("lessons/" .. lesson .. "/lesson.yaml")) do
        for name in (line:match("^must_use: %[(.*)%]") or ""):gmatch("[a-z]+") do
            asked[#asked + 1] = words[name] or fail("uses.def has no %s", name)
        end
    end
    return table.concat(asked, " and ")
end

local function cost_table()
    local titles, lines = budget_titles(), budget_lines()
    if #lines == 0 then fail("lesson.yaml has no budget") end
    local markdown = { "| in the largest case | at most | points |", "| --- | --- | --- |" }
    for _, line in ipairs(lines) do
        local title = titles[line.what] or fail("budget.def has no %s", line.what)
        markdown[#markdown + 1] = string.format("| %s | `%s` | %s |", title, line.at_most, line.required and "required" or line.points)
    end
    local asked = means_asked_for()
    if asked ~= "" then
        markdown[#markdown + 1] = "\nThe largest case also asks for " .. asked .. ": a right answer that does without fails there."
    end
    return pandoc.read(table.concat(markdown, "\n"), "markdown").blocks
end

-- The hints, each a list of lines: the paragraphs of lesson.yaml are folded text, with code in lines that are indented further.
local function read_hints()
    local hints, inside = {}, false
    for _, line in ipairs(read_lines("lessons/" .. lesson .. "/lesson.yaml")) do
        if line:match("^%S") then inside = line == "hints:" end
        local first, text = line:match("^  %- (.*)"), line:match("^    (.*)")
        if inside and first then hints[#hints + 1] = { first ~= ">-" and first or nil } end
        if inside and not first and (text or line == "") then table.insert(hints[#hints], text or "") end
    end
    return hints
end

local function folded_hints()
    local hints, blocks = read_hints(), pandoc.List()
    if #hints == 0 then fail("lesson.yaml has no hints") end
    for i, hint in ipairs(hints) do blocks:extend(fold("Hint " .. i, prose.blocks(hint))) end
    return blocks
end

local function block_of_code(block)
    if block.attributes.include then return included_code(block) end
    if block.classes:includes("report") and block.attributes.mutant then return mutant_report(block) end
    if block.classes:includes("gpu-table") then return gpu_table() end
    if block.classes:includes("cost-table") then return cost_table() end
    if block.classes:includes("cuda") then return pandoc.CodeBlock(block.text, pandoc.Attr(block.identifier, { "cuda" })) end
    return nil
end

local function division(div)
    if div.classes:includes("hints") then return folded_hints() end
    if div.classes:includes("fold") then return fold(report.escape(div.attributes.title or "Answer"), div.content) end
    return nil
end

local function image(picture)
    local text = pandoc.utils.stringify(picture.caption)
    if text == "" then fail("figure %s has no text alternative", picture.src) end
    picture.src = lesson .. "/" .. picture.src
    return picture
end

return {
    { CodeBlock = block_of_code, Div = division, Image = image },
}
