-- page.lua - the pandoc filter of every page, lessons and documents: its title goes above the list of contents, what may be
-- wider than a phone can be scrolled, with the keyboard too, and its sections go into the index of the search.
--
--   ```{.report file="NAME.txt" label="..."}   what a tool printed, a file of the build in SITE_DATA
--   ```{.source file="PATH"}                   a file of the tree, whole
--   ```{.prose}, or `...`{.prose}              text that is written for a terminal (prose.lua)
-- PAGE is the page's address in the site, SEARCH the file to which its sections are appended.

local here = pandoc.path.directory(PANDOC_SCRIPT_FILE)
local report = dofile(pandoc.path.join({ here, "report.lua" }))
local prose = dofile(pandoc.path.join({ here, "prose.lua" }))
-- A line of code longer than this does not fit the column of a phone.
local COLUMN = 36

local function fail(...)
    io.stderr:write((os.getenv("PAGE") or "?") .. ": " .. string.format(...) .. "\n")
    os.exit(1)
end

local function wide(text)
    for line in (text .. "\n"):gmatch("([^\n]*)\n") do
        if #line > COLUMN then return true end
    end
    return false
end

local function scrolled(kind, block)
    return pandoc.Div({ block }, pandoc.Attr("", { "scroll" }, { { "tabindex", "0" }, { "role", "group" }, { "aria-label", kind } }))
end

-- How wide a column is, the browser decides: it knows what stands in it. The widths of the source are those of a line of dashes.
-- A bar in a cell is written with a backslash, which the reader of tables takes away except in code.
local function table_block(block)
    for _, column in ipairs(block.colspecs) do column[2] = nil end
    block = block:walk({ Code = function(code) return pandoc.Code((code.text:gsub("\\|", "|")), code.attr) end })
    return scrolled("Table", block)
end

-- A picture that stands alone is a figure, which a phone scrolls, and so is a formula. Pandoc 3 has figures itself; to pandoc 2 they are paragraphs.
local function figure(block)
    if block.t == "Figure" then return scrolled("Figure", block) end
    local only = #block.content == 1 and block.content[1]
    if only and only.t == "Image" then return scrolled("Figure", block) end
    if only and only.t == "Math" and only.mathtype == "DisplayMath" then return scrolled("Formula", block) end
    return nil
end

local function file_of(path)
    return report.read_lines(path) or fail("cannot read %s", path)
end

local function code_block(block)
    if block.classes:includes("report") and block.attributes.file then
        local lines = file_of(os.getenv("SITE_DATA") .. "/" .. block.attributes.file)
        return pandoc.RawBlock("html", report.html(lines, block.attributes.label or "What the tool says"))
    end
    if block.classes:includes("source") then
        block = pandoc.CodeBlock(table.concat(file_of(block.attributes.file), "\n"), pandoc.Attr("", { "cuda", "program" }))
    end
    if wide(block.text) then return scrolled("Code", block) end
    return block
end

local function split_lines(text)
    local lines = {}
    for line in (text .. "\n"):gmatch("([^\n]*)\n") do lines[#lines + 1] = line end
    return lines
end

-- Before the other filters, which see to the code in it.
local function prose_block(block)
    if block.classes:includes("prose") then return prose.blocks(split_lines(block.text)) end
    return nil
end

local function prose_inline(code)
    if code.classes:includes("prose") then return prose.inlines(code.text) end
    return nil
end

-- Documents link to each other's sources, which is right where those are read; here their pages lie side by side, whatever folder they come from,
-- and those of the lessons in a folder of their own, beside them. A course with fewer lessons has no link to one that it is without.
local function link(anchor)
    local target = anchor.target
    if target:match("://") then return nil end
    local lesson = target:match("lessons/([^/#]+)/lesson%.md")
    if lesson and not io.open("lessons/" .. lesson .. "/lesson.md") then return anchor.content end
    local document = os.getenv("LESSON") and target:match("^%.%./%.%./docs/([^/#]+)%.md$")
    if document then
        anchor.target = "../docs/" .. document .. ".html"
        return anchor
    end
    target = target:gsub("/lesson%.md", ".html"):gsub("^[^#]*/([^/#]*%.md)", "%1")
    anchor.target = target:gsub("%.md$", ".html"):gsub("%.md#", ".html#")
    return anchor
end

local function json(text)
    return '"' .. text:gsub("%s+", " "):gsub('[%c\\"<]', function(c) return string.format("\\u%04x", c:byte()) end) .. '"'
end

-- What the search finds of a block, with spaces between its lines: reports, pictures and whole programs are left out.
local function text_of(block)
    if block.t == "RawBlock" then return "" end
    if block.t == "CodeBlock" then return block.text end
    local parts = {}
    block:walk({
        traverse = "topdown", -- as it is read: the space before a paragraph or a cell comes before its words
        Str = function(s) parts[#parts + 1] = s.text end,
        Space = function() parts[#parts + 1] = " " end,
        SoftBreak = function() parts[#parts + 1] = " " end,
        Code = function(c) parts[#parts + 1] = c.text end,
        Para = function() parts[#parts + 1] = " " end,
        Plain = function() parts[#parts + 1] = " " end,
        CodeBlock = function(c) if not c.classes:includes("program") then parts[#parts + 1] = " " .. c.text .. " " end end,
    })
    return table.concat(parts)
end

-- What a section counts for: who reads the course is a learner first.
local WEIGHTS = { { "^lessons/", 4 }, { "^findings/", 2 }, { "^docs/glossary", 2 }, { "^docs/sheet", 2 }, { "^docs/tiles", 2 } }
local function weight_of(address)
    for _, row in ipairs(WEIGHTS) do
        if address:match(row[1]) then return row[2] end
    end
    return 1
end

-- One line of JSON for each section: the search page loads them all.
local function index_sections(document, title)
    local address, file = os.getenv("PAGE"), os.getenv("SEARCH")
    if not file or file == "" then return end
    local out = io.open(file, "a") or fail("cannot write %s", file)
    local heading, anchor, parts = title, "", {}
    local function close()
        out:write(string.format('{"url": %s, "page": %s, "title": %s, "weight": %g, "text": %s},\n', json(address .. anchor), json(title),
            json(heading), weight_of(address), json(table.concat(parts, " "))))
    end
    for _, block in ipairs(document.blocks) do
        if block.t == "Header" then
            close()
            heading, anchor, parts = pandoc.utils.stringify(block), "#" .. block.identifier, {}
        else
            parts[#parts + 1] = text_of(block)
        end
    end
    close()
    out:close()
end

-- The terms of a list and the section of a lesson that teaches them, or the page beside the list, for the search: a row of JSON each.
local function index_terms(document)
    local file = os.getenv("SEARCH")
    if not file or file == "" then return end
    local out = io.open(file .. ".taught", "a") or fail("cannot write %s", file)
    document:walk({ DefinitionList = function(list)
        for _, entry in ipairs(list.content) do
            local term = pandoc.utils.stringify(entry[1])
            pandoc.Div(entry[2][1]):walk({ Link = function(anchor)
                local beside = anchor.target:match("^[%w-]+%.html$")
                local place = anchor.target:match("lessons/.*") or beside and "docs/" .. beside
                if place then out:write(string.format("[%s, %s],\n", json(term), json(place))) end
            end })
        end
    end })
    out:close()
end

-- The title is the page's own: the list of contents begins with what comes after it.
local function lift_title(document)
    local first = document.blocks[1]
    if not first or first.t ~= "Header" or first.level ~= 1 then fail("a page must begin with its title (# ...)") end
    document.meta.heading = pandoc.MetaInlines(first.content)
    local title = pandoc.utils.stringify(first)
    if not document.meta.pagetitle then document.meta.pagetitle = pandoc.MetaString(title) end
    document.blocks:remove(1)
    index_sections(document, title)
    index_terms(document)
    return document
end

-- A long name in a cell may break where a part of it ends, but not into crumbs: cudaFilter|ModeLinear. After the index, which has whole names.
local LEAST_PART = 8
local ESCAPED = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;" }

local function ends_part(here, after)
    return here:find("[/_]") or here:find("%l") and after:find("%u") or here == ":" and after ~= ":"
end

local function escaped(text) return (text:gsub("[&<>]", ESCAPED)) end

local function breakable_word(text)
    local parts, since = {}, 0
    for at = 1, #text do
        local here, after = text:sub(at, at), text:sub(at + 1, at + 1)
        parts[#parts + 1], since = escaped(here), since + 1
        if since >= LEAST_PART and after ~= "" and ends_part(here, after) then
            parts[#parts + 1], since = "<wbr>", 0
        end
    end
    return table.concat(parts)
end

-- Code as HTML, each word by `write`. A browser would break an option behind its first hyphen: --|leak-check.
local function code_html(text, write)
    local html = text:gsub("%S+", function(word)
        if word:match("^%-+%w") then return '<span class="option">' .. escaped(word) .. "</span>" end
        return write(word)
    end)
    return pandoc.RawInline("html", "<code>" .. html .. "</code>")
end

local function breakable(code) return code_html(code.text, breakable_word) end

local function with_options(code)
    if #code.classes > 0 or not (" " .. code.text):match(" %-+%w") then return nil end
    return code_html(code.text, escaped)
end

local function table_of_names(block)
    return block:walk({ Code = function(code) return #code.classes == 0 and breakable(code) or nil end })
end

return { { CodeBlock = prose_block, Code = prose_inline }, { Table = table_block, Para = figure, Figure = figure, CodeBlock = code_block, Link = link, Pandoc = lift_title }, { Table = table_of_names }, { Code = with_options } }
