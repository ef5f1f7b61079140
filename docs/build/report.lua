-- report.lua - what the tools print, as HTML in the terminal's colours. lesson.lua and page.lua load it with dofile.

local report = {}

function report.escape(text)
    return (text:gsub("&", "&amp;"):gsub("<", "&lt;"):gsub(">", "&gt;"))
end

-- What the margin of a program says for the tests is not for readers: these words begin it.
local MARGINS = { "expect", "expect%-note", "also", "near", "says", "told" }

local function without_margin(line)
    for _, word in ipairs(MARGINS) do line = line:gsub("%s*// " .. word .. ": .*", "") end
    return line
end

-- The lines of a file, or nil. What the layout has put in columns, beside a margin or before the backslashes of a macro, moves back to its line.
function report.read_lines(path)
    local file = io.open(path)
    if not file then return nil end
    local lines = {}
    local had_margin = {}
    for line in file:lines() do
        lines[#lines + 1] = without_margin(line)
        had_margin[#lines] = lines[#lines] ~= line
    end
    file:close()
    for i, line in ipairs(lines) do
        if had_margin[i - 1] or had_margin[i + 1] then line = line:gsub("(%S)   +//", "%1 //") end
        lines[i] = line:gsub("%s+\\$", " \\")
    end
    while lines[#lines] == "" do lines[#lines] = nil end
    return lines
end

local function is_quoted(line) return line:match("^%s*%d+ | ") or line:match("^%s+|") end

-- A finding's head and a case go on in lines that are indented by four more.
local function goes_on(last, line)
    if is_quoted(line) then return nil end
    if last:match("^%S") then return line:match("^    (%S.*)") end
    if last:match("^  [^%w%s]+ ") then return line:match("^      (%S.*)") end
    return nil
end

-- One line for each finding of which there is no more room.
local function is_row(line) return line:match("^  %l[%l-: ]*, line %d+: ") or line:match("^  %d+ more, ") end

-- What a line of source is, or what is worked out by hand, stands above it.
local function is_heading(line) return line:match("%(%l+%):$") or line:match("^  By hand, ") end

-- The tool wraps an explanation for a terminal; on a page its lines are one paragraph again, also where a line happens to end at a colon.
local function is_sentence(line)
    return not line:match("^  %- ") and line:match("^  [%w\"`'(<_/&*=+-]") and not line:match("%.cu:%d") and not line:match("%.cu$") and not is_heading(line) and not line:match("^  %(") and not is_row(line)
end

-- What to do begins a line of its own, and goes on in lines that are indented further.
local function is_advice(line) return line:match("^  what to do:") end

local function join_sentences(lines)
    local joined = {}
    for i, line in ipairs(lines) do
        local last = joined[#joined] or ""
        local rest = goes_on(last, line)
        if rest then
            joined[#joined] = last .. " " .. rest
        elseif is_advice(last) and line:match("^    %S") then
            joined[#joined] = last .. " " .. line:sub(5)
        elseif i > 1 and is_sentence(line) and is_sentence(lines[i - 1]) and not is_advice(line) and not is_advice(last) then
            joined[#joined] = joined[#joined] .. " " .. line:sub(3)
        else
            joined[#joined + 1] = line
        end
    end
    return joined
end

-- The parts of a line that a terminal shows in colour: LUA-PATTERN, class. The first that matches is used.
local colours = {
    { "^(error: [a-z-]+:)", "bad" }, { "^(note: [a-z-]+:)", "doubt" }, { "^(warning: [a-z-]+:)", "doubt" },
    { "^([a-z]+%-?[a-z-]*:)", "bad" }, { "^(  ✗)", "bad" }, { "^(  ✓)", "good" }, { "(%^[~^]*)%s*$", "bad" },
    { "(%-%-&gt; %S+)", "place" }, { "^(  %S+%.cu:%d+:?%d*)", "place" },
}

local function coloured(line)
    local text = report.escape(line)
    for _, row in ipairs(colours) do
        local first, last = text:find(row[1])
        if first then
            return text:sub(1, first - 1) .. '<b class="' .. row[2] .. '">' .. text:sub(first, last) .. "</b>" .. text:sub(last + 1)
        end
    end
    return text
end

-- One line of a report. Quoted source keeps its columns, so that the mark stays under what it marks; sentences wrap, and go on
-- below their own beginning.
local function report_line(line)
    if is_quoted(line) then return '<span class="quoted">' .. (line:match("|%s+%^") and coloured(line) or report.escape(line)) .. "\n</span>" end
    local indent = #line:match("^ *") + (is_sentence(line) and 0 or 2)
    return string.format('<span style="padding-left:%dch;text-indent:-%dch">%s\n</span>', indent, indent, coloured(line))
end

function report.html(lines, label)
    local parts = {}
    for i, line in ipairs(join_sentences(lines)) do parts[i] = report_line(line) end
    return '<pre class="report" tabindex="0" role="group" aria-label="' .. label .. '"><code>' .. table.concat(parts) .. "</code></pre>"
end

return report
