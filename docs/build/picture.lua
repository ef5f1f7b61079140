-- picture.lua - the picture of a mutant's run on its lesson's page: the picture itself in a frame that is loaded when it comes into view, and,
-- where there is paper or no script, the steps that led to the mistake as a table. lesson.lua loads it with dofile.
-- warpgrind/docs/picture.md describes the data.

local picture = {}

-- The most rows of the table: those before the mistake, the mistake, and what the other party did.
local BEFORE = 5

-- JSON, as warpgrind writes it: no numbers with exponents, no characters beyond \u00ff escaped. Returns the value and the place after it.
local value
local ESCAPES = { n = "\n", t = "\t", r = "\r", b = "\b", f = "\f" }

local function string_at(text, at)
    local last = at
    repeat last = text:find('[\\"]', last + 1)
        if text:sub(last, last) == "\\" then last = last + 1 else break end
    until false
    local raw = text:sub(at + 1, last - 1)
    raw = raw:gsub("\\(.)(%x?%x?%x?%x?)", function(letter, digits)
        if letter == "u" then return utf8.char(tonumber(digits, 16)) end
        return (ESCAPES[letter] or letter) .. digits
    end)
    return raw, last + 1
end

local function list_at(text, at, close)
    local list = {}
    at = text:find("%S", at + 1)
    while text:sub(at, at) ~= close do
        local key = #list + 1
        if close == "}" then
            key, at = string_at(text, at)
            at = text:find("%S", text:find(":", at, true) + 1)
        end
        list[key], at = value(text, at)
        at = text:find("[^%s,]", at)
    end
    return list, at + 1
end

function value(text, at)
    local first = text:sub(at, at)
    if first == "{" then return list_at(text, at, "}") end
    if first == "[" then return list_at(text, at, "]") end
    if first == '"' then return string_at(text, at) end
    local word = text:match("^[%w.+-]+", at)
    if word == "true" or word == "false" then return word == "true", at + #word end
    return tonumber(word) or word, at + #word
end

local function data_of(page) return (value(page, page:find("{", page:find('id="data">', 1, true), true))) end

-- The elements of a list that begins with their array: one for each lane, one for all, or the first and how much the next one is larger.
local function spread(list, count)
    local cells = {}
    if list[1] < 0 then return cells end
    for i = 1, count do
        if #list == count + 1 then cells[i] = list[i + 1]
        else cells[i] = list[2] + (i - 1) * (#list == 3 and list[3] or 0) end
    end
    return cells
end

-- A step as a table: KIND, its block, warp, line, lanes (0 to 31) in order, and what the kind adds.
local function read_step(raw, number)
    local step = { number = number, kind = raw[1], block = raw[2], warp = raw[3], line = raw[4], lanes = {}, found = raw[#raw], more = raw }
    local mask = tonumber(raw[5], 16) or 0
    for lane = 0, 31 do if mask >> lane & 1 == 1 then step.lanes[#step.lanes + 1] = lane end end
    local cells = step.kind == "o" and raw[7] or ("rwa"):find(step.kind, 1, true) and raw[8]
    if cells then step.array, step.cells = cells[1], spread(cells, #step.lanes) end
    return step
end

local function thread_of(step, i) return step.warp * 32 + step.lanes[i] end

-- A finding of that severity that the step is about.
local function found_at(step, findings, severity)
    for _, n in ipairs(step.found) do
        local finding = findings[n + 1]
        if finding and finding.severity == severity then return finding end
    end
end

local VERBS = { r = "read", w = "write", a = "update" }

-- An access that costs four times what it must.
local function is_dear(step) return VERBS[step.kind] and step.more[7] > 0 and step.more[6] >= 4 * step.more[7] end

-- The places of a step's lanes that take part in the mistake.
local function guilty(step, finding)
    local lanes = {}
    if not finding then return lanes end
    for i in ipairs(step.lanes) do
        local party = finding.party and thread_of(step, i) == finding.party.thread or finding.other and thread_of(step, i) == finding.other.thread
        local at = finding.array ~= "" and step.cells and step.cells[i] == finding.index
        if step.kind == "o" or party and at then lanes[step.lanes[i]] = true end
    end
    return lanes
end

-- The first step with an error, or else the first that costs too much, or else the first with a note.
local function mistake_of(steps, findings)
    for _, step in ipairs(steps) do if found_at(step, findings, "error") then return step, found_at(step, findings, "error") end end
    for _, step in ipairs(steps) do if is_dear(step) then return step end end
    for _, step in ipairs(steps) do if found_at(step, findings, "note") then return step, found_at(step, findings, "note") end end
end

-- The steps of its block up to that, and which of them is the other party's access.
local function around(steps, findings)
    local mistake, finding = mistake_of(steps, findings)
    if not mistake then return nil end
    local rows, from = {}, 0
    for _, earlier in ipairs(steps) do
        if earlier.block == mistake.block and earlier.number <= mistake.number then
            rows[#rows + 1] = earlier
            if earlier ~= mistake and next(guilty(earlier, finding)) then from = #rows end
        end
    end
    return rows, finding, from
end

local function ranges(numbers)
    local parts, first, last = {}, nil, nil
    for _, n in ipairs(numbers) do
        if last and n == last + 1 then last = n
        else
            if first then parts[#parts + 1] = { first, last } end
            first, last = n, n
        end
    end
    if first then parts[#parts + 1] = { first, last } end
    local words = {}
    for i = 1, math.min(#parts, 3) do words[i] = parts[i][1] == parts[i][2] and tostring(parts[i][1]) or parts[i][1] .. "–" .. parts[i][2] end
    return table.concat(words, ", ") .. (#parts > 3 and ", …" or "")
end

local function sentence(step, arrays)
    local threads = {}
    for i in ipairs(step.lanes) do threads[i] = thread_of(step, i) end
    local alone = #threads == 1
    local who = (alone and "thread " or "threads ") .. ranges(threads)
    local s = alone and "s" or ""
    local array = step.array and arrays[step.array + 1]
    local what = step.cells and string.format("%s[%s]", array and array.name ~= "" and array.name or "memory", ranges(step.cells)) or "memory"
    if VERBS[step.kind] then
        local cost = ""
        if is_dear(step) and array and array.space == "shared" then
            cost = string.format("; %d-way bank conflict", math.floor(step.more[6] / step.more[7] + 0.5))
        elseif is_dear(step) then
            cost = string.format("; %d sectors where %d would do", math.floor(step.more[6] + 0.5), math.ceil(step.more[7]))
        end
        return string.format("%s %s%s %s%s", who, VERBS[step.kind], s, what, cost)
    end
    if step.kind == "o" then return string.format("%s %s%s %s, %s", who, step.more[6]:match("^(.-)s?$"), s, what, step.more[8]) end
    if step.kind == "b" then return string.format("barrier: %d threads go on", step.more[6]) end
    if step.kind == "h" then return who .. (alone and " takes part in a shuffle" or " get each other's values by a shuffle") end
    if step.kind == "s" then return who .. " meet" .. s .. " at a barrier of the warp" end
    if step.kind == "d" then return "the warp diverges" end
    if step.kind == "g" then return string.format("here %d steps of this block are left out", step.more[6]) end
    if step.kind == "m" then return string.format("a mistake at the barrier: %d of %d threads came", step.more[7], step.more[8]) end
    return who .. " end" .. s
end

-- 32 letters, one for each lane; those that make the mistake are marked.
local function letters(step, bad)
    if step.warp < 0 then return string.rep("-", 32) end
    local taken, takes, parts = step.kind == "d" and tonumber(step.more[6], 16) or 0, {}, {}
    for _, lane in ipairs(step.lanes) do takes[lane] = true end
    for lane = 0, 31 do
        local letter = takes[lane] and step.kind or "·"
        if takes[lane] and step.kind == "d" then letter = taken >> lane & 1 == 1 and "/" or "\\" end
        parts[#parts + 1] = bad[lane] and '<b class="bad">' .. letter:upper() .. "</b>" or letter
    end
    return table.concat(parts)
end

local function row(step, finding, arrays, escape)
    return string.format("<tr><td>%d</td><td>%s</td><td>%s</td><td><code>%s</code></td><td>%s</td></tr>", step.number, step.warp >= 0 and step.warp or "",
        step.line > 0 and step.line or "", letters(step, guilty(step, finding)), escape(sentence(step, arrays)))
end

-- The last steps up to the mistake; with what comes before, where the other party's access is further back.
local function excerpt(run, escape)
    local of_block, steps = {}, {}
    for i, raw in ipairs(run.steps) do
        of_block[raw[2]] = (of_block[raw[2]] or 0) + 1
        steps[i] = read_step(raw, of_block[raw[2]])
    end
    local rows, finding, other = around(steps, run.findings)
    if not rows then return "" end
    local first, html = math.max(1, #rows - BEFORE), {}
    if other > 0 and other < first then
        html[1] = row(rows[other], finding, run.arrays, escape)
        if other + 1 < first then html[2] = string.format('<tr><td></td><td></td><td></td><td></td><td>… %d more steps</td></tr>', first - other - 1) end
    end
    for i = first, #rows do html[#html + 1] = row(rows[i], finding, run.arrays, escape) end
    return '<div class="scroll" tabindex="0" role="group" aria-label="Steps"><table class="steps"><thead><tr><th>step</th><th>warp</th><th>line</th><th>lanes 0 to 31</th><th>what they did</th></tr></thead><tbody>' ..
        table.concat(html, "\n") .. "</tbody></table></div>" .. (finding and string.format("\n<p>%s: %s.</p>", escape(finding.kind), escape(finding.message)) or "")
end

-- The figure of a picture: PAGE is its text, ADDRESS where it lies. None where no step leads to the mistake, as of a kernel that was not launched.
function picture.html(page, address, escape)
    local run = data_of(page)
    local name, steps = escape(run.kernel), excerpt(run, escape)
    if steps == "" then return "" end
    return string.format([[
<figure class="picture">
<iframe src="%s" title="What the threads of %s did, step by step" loading="lazy"></iframe>
<div class="excerpt">
%s
</div>
<figcaption>What the threads of <code>%s</code> did. Step with the arrow keys, or point at a thread or an element.
<a href="%s">Open it on a page of its own</a></figcaption>
</figure>]], address, name, steps, name, address)
end

return picture
