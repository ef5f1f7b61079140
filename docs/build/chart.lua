-- chart.lua - a measured table (gpu.csv) as a Markdown table, and as a line chart in SVG. Rows are lists of cells, the first row is
-- the heading: version, size, perhaps more that was varied, then what was measured. lesson.lua loads it with dofile.

local chart = {}

local WIDTH, LEFT, RIGHT, TOP, PLOT = 640, 76, 14, 26, 230
local LEGEND_ROW, LEGEND_COLUMN = 22, 290
-- The width of a digit of 13 pixels, with some room.
local DIGIT = 8.4
-- Beyond this ratio a linear axis would press the small values together.
local LOG_FROM = 20

local function grouped(digits) return (digits:reverse():gsub("(%d%d%d)", "%1,"):reverse():gsub("^,", "")) end

-- 1234567.8 as 1,234,567.8, in whatever stands around it; decimals and words with digits in them are left as they are.
local function thousands(cell) return (cell:gsub("%f[%w.]%d%d%d%d+%f[%W]", grouped)) end

function chart.markdown(rows)
    local lines = {}
    for i, row in ipairs(rows) do lines[i] = thousands("| " .. table.concat(row, " | ") .. " |") end
    table.insert(lines, 2, "| :-- |" .. string.rep(" --: |", #rows[1] - 1))
    return table.concat(lines, "\n")
end

-- A heading with a unit is of what was measured; others are of what was varied.
local function is_measured(heading) return heading:match("%(.*%)") end

local function time_column(heading)
    for i, cell in ipairs(heading) do if cell:match("time") then return i end end
    return #heading
end

-- A size is a number, or the words of a shape.
local function size_of(row) return tonumber(row[2]) or row[2] end

-- What stands beside each size in the next column, such as the columns of a matrix beside its rows; nil where a size has several.
local function partners(rows, column)
    local partner = {}
    for i = 2, #rows do
        local size, other = size_of(rows[i]), rows[i][3]
        if column <= 3 or partner[size] and partner[size] ~= other then return nil end
        partner[size] = other
    end
    return partner
end

-- Whether the sizes lie on a line: numbers, and what stands beside them does not fall while they grow. Other shapes are places side by side, and a
-- line from one to the next would say that something lies between them.
local function in_order(sizes, partner)
    for i, size in ipairs(sizes) do
        if type(size) ~= "number" then return false end
        if partner and i > 1 and tonumber(partner[size]) < tonumber(partner[sizes[i - 1]]) then return false end
    end
    return true
end

-- The sizes in the order of the file, and for each version its best time at each size, versions in the order of the file as well.
local function collect(rows, column)
    local sizes, seen, versions, best = {}, {}, {}, {}
    for i = 2, #rows do
        local version, size, time = rows[i][1], size_of(rows[i]), tonumber(rows[i][column])
        if not best[version] then versions[#versions + 1], best[version] = version, {} end
        if not seen[size] then seen[size], sizes[#sizes + 1] = true, size end
        best[version][size] = math.min(best[version][size] or math.huge, time)
    end
    return sizes, versions, best
end

local function range(versions, best)
    local low, high = math.huge, 0
    for _, version in ipairs(versions) do
        for _, time in pairs(best[version]) do low, high = math.min(low, time), math.max(high, time) end
    end
    return low, high
end

local function nice_step(high)
    local power = 10 ^ math.floor(math.log(high / 5, 10))
    for _, factor in ipairs({ 1, 2, 5, 10 }) do if power * factor * 5 >= high then return power * factor end end
end

-- An axis: the values of its ticks, and the height of a value above the bottom, from 0 to 1.
local function make_axis(low, high)
    local ticks = {}
    if low > 0 and high / low > LOG_FROM then
        local first, last = math.floor(math.log(low, 10)), math.ceil(math.log(high, 10))
        for power = first, last do ticks[#ticks + 1] = 10 ^ power end
        return ticks, function(value) return (math.log(value, 10) - first) / (last - first) end, ", logarithmic"
    end
    local step = nice_step(high)
    local top = math.ceil(high / step) * step
    for i = 0, math.floor(top / step + .5) do ticks[#ticks + 1] = i * step end
    return ticks, function(value) return value / top end, ""
end

-- A mark for each version, so that lines differ without colour, too.
local shapes = {
    '<circle cx="%g" cy="%g" r="4"/>', '<path d="M%g %gm-4 -4h8v8h-8z"/>', '<path d="M%g %gm0 -5 5 9h-10z"/>',
    '<path d="M%g %gm0 -6 5 6 -5 6 -5 -6z"/>', '<path d="M%g %gm0 5 5 -9h-10z"/>', '<path d="M%g %gm-1.5 -5h3v10h-3z"/>',
    '<path d="M%g %gm-5 -1.5h10v3h-10z"/>', '<circle cx="%g" cy="%g" r="2.5"/>',
}

-- The colours and marks of the style sheet are eight; what comes after them has the first ones again, in dashes and with hollow marks.
local COLOURS = #shapes
local function class_of(index) return "s" .. (index - 1) % COLOURS + 1 .. (index > COLOURS and " again" or "") end

local function mark(index, x, y) return string.format(shapes[(index - 1) % #shapes + 1], x, y) end

local function label(x, y, class, text) return string.format('<text x="%g" y="%g" class="%s">%s</text>', x, y, class, text) end

-- A long name goes on two lines.
local function draw_name(parts, x, class, name)
    local first, second = name, nil
    if #name > 18 then first, second = name:match("^(.-%s.-%s)(.*)$") end
    parts[#parts + 1] = label(x, TOP + PLOT + 18, class, (first or name):gsub("%s+$", ""))
    if second then parts[#parts + 1] = label(x, TOP + PLOT + 33, class, second) end
end

local function draw_axes(parts, sizes, partner, ticks, height, x_of)
    for _, tick in ipairs(ticks) do
        local y = TOP + PLOT * (1 - height(tick))
        parts[#parts + 1] = string.format('<path class="grid" d="M%d %gH%d"/>', LEFT, y, WIDTH - RIGHT)
        parts[#parts + 1] = label(LEFT - 8, y + 4, "end", thousands(string.format("%.10g", tick)))
    end
    local function name(size) return thousands((type(size) == "number" and string.format("%d", size) or size) .. (partner and " x " .. partner[size] or "")) end
    -- Where the sizes stand close, only some have their number: the largest, and others as far apart as its digits need.
    local widest = math.min(#name(sizes[#sizes]), 18) * DIGIT
    local every = #sizes > 1 and math.ceil((widest + DIGIT) / (x_of(2) - x_of(1))) or 1
    for i, size in ipairs(sizes) do
        local x, last = x_of(i), i == #sizes and x_of(i) + widest / 2 > WIDTH
        if (#sizes - i) % every == 0 then
            draw_name(parts, last and WIDTH - 2 or x, last and "end" or "mid", name(size))
        end
    end
end

local function draw_version(parts, index, times, sizes, joined, height, x_of)
    local path, marks = {}, {}
    for i, size in ipairs(sizes) do
        if times[size] then
            local x, y = x_of(i), TOP + PLOT * (1 - height(times[size]))
            path[#path + 1] = string.format("%s%g %.1f", #path == 0 and "M" or "L", x, y)
            marks[#marks + 1] = mark(index, x, tonumber(string.format("%.1f", y)))
        end
    end
    local line = joined and string.format('<path class="run" d="%s"/>', table.concat(path)) or ""
    parts[#parts + 1] = string.format('<g class="%s">%s%s</g>', class_of(index), line, table.concat(marks))
end

local function draw_legend(parts, versions, joined, top)
    for i, version in ipairs(versions) do
        local x, y = LEFT + (i - 1) % 2 * LEGEND_COLUMN, top + math.floor((i - 1) / 2) * LEGEND_ROW
        local line = joined and string.format('<path class="run" d="M%d %dh28"/>', x, y) or ""
        parts[#parts + 1] = string.format('<g class="%s">%s%s</g>', class_of(i), line, mark(i, x + 14, y))
        parts[#parts + 1] = label(x + 38, y + 5, "", version)
    end
end

function chart.figure(rows)
    local column = time_column(rows[1])
    local partner = partners(rows, column)
    local size_name = rows[1][2] .. (partner and " x " .. rows[1][3] or "")
    local sizes, versions, best = collect(rows, column)
    local sorted = { table.unpack(sizes) }
    local numbers = pcall(table.sort, sorted)
    local joined = numbers and in_order(sorted, partner)
    if joined then sizes = sorted end
    local low, high = range(versions, best)
    local ticks, height, scale = make_axis(low, high)
    local step = (WIDTH - LEFT - RIGHT) / #sizes
    local function x_of(i) return LEFT + step * (i - .5) end
    local legend = TOP + PLOT + 64
    local bottom = legend + math.ceil(#versions / 2) * LEGEND_ROW
    local title = string.format("%s of %d versions by %s", rows[1][column], #versions, size_name)
    local parts = { string.format('<svg class="chart" viewBox="0 0 %d %d" width="%d" height="%d" role="img" aria-label="%s; the table below has the numbers">',
        WIDTH, bottom, WIDTH, bottom, title) }
    parts[#parts + 1] = label(8, 14, "", rows[1][column] .. scale)
    draw_axes(parts, sizes, partner, ticks, height, x_of)
    parts[#parts + 1] = label((LEFT + WIDTH - RIGHT) / 2, TOP + PLOT + 38, "mid", size_name)
    for i, version in ipairs(versions) do draw_version(parts, i, best[version], sizes, joined, height, x_of) end
    draw_legend(parts, versions, joined, legend)
    local caption = rows[1][column] .. " by " .. size_name .. (column > 3 and not partner and not is_measured(rows[1][3]) and "; the best of the values of " .. rows[1][3] .. " that were measured" or "")
    return '<figure class="scroll" tabindex="0" role="group" aria-label="Chart">' .. table.concat(parts) .. "</svg><figcaption>" .. caption ..
        ".</figcaption></figure>"
end

return chart
